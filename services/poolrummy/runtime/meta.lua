#!lua
-- Give a partition its identity once; answer the one it has.
--
-- KEYS[1] meta      ARGV[1] store id  [2] log format  [3] partitions      reply {store id, log format, partitions}
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'store', ARGV[1], 'format', ARGV[2], 'partitions', ARGV[3])
end
return redis.call('HMGET', KEYS[1], 'store', 'format', 'partitions', 'complete')
