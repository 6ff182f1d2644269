#!lua flags=allow-oom
-- Give a lease back: a clean end, so nobody is suspected of having died on the next entry.
--
-- KEYS[1] lease hash      ARGV[1] token      reply 1 if it was still ours
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local clock = redis.call('TIME')
redis.call('HDEL', KEYS[1], 'token', 'until', 'member', 'acting')
redis.call('HSET', KEYS[1], 'alive', string.format('%d', clock[1] * 1000 + math.floor(clock[2] / 1000)),
  'takeovers', '0', 'began', '0')
return 1
