#!lua flags=allow-oom
-- Before a dealer acts on clocks it says whose: if the act takes the process along, the next owner knows.
--
-- KEYS[1] lease hash      ARGV[1] token  [2] 'begin' | 'end' | 'blame'  [3] tables (JSON list)
-- reply 'noted' | 'fenced'
--   begin: the act is at hand       end: it is done, these tables are suspected no more
--   blame: it went wrong without a death, which counts as one
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 'fenced' end
if ARGV[2] == 'begin' then
  redis.call('HSET', KEYS[1], 'acting', ARGV[3])
  return 'noted'
end
local ended = cjson.decode(redis.call('HGET', KEYS[1], 'ended') or '{}')
for _, name in ipairs(cjson.decode(ARGV[3])) do
  ended[name] = ARGV[2] == 'blame' and (ended[name] or 0) + 1 or nil
end
redis.call('HDEL', KEYS[1], 'acting')
if next(ended) then
  redis.call('HSET', KEYS[1], 'ended', cjson.encode(ended))
else
  redis.call('HDEL', KEYS[1], 'ended')
end
return 'noted'
