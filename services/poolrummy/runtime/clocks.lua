#!lua flags=allow-oom
-- Before a dealer acts on clocks it says whose: if the act takes the process along, the next owner knows.
--
-- KEYS[1] lease hash  [2] inbox      ARGV[1] token  [2] 'begin' | 'end' | 'blame'  [3] tables (JSON list)
--   [4] '1' = not while a message waits
-- reply {'fenced'} | {'noted', now, last id of the inbox}
--   begin: the act is at hand       end: it is done, these tables are suspected no more
--   blame: it went wrong without a death, which counts as one
local held = redis.call('HMGET', KEYS[1], 'token', 'offset')
if held[1] ~= ARGV[1] then return {'fenced'} end
if ARGV[2] == 'begin' then
  local clock = redis.call('TIME')
  local entry = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  local last = entry and entry[1] or '0-0'
  if ARGV[4] ~= '1' or not entry or last == held[2] then redis.call('HSET', KEYS[1], 'acting', ARGV[3]) end
  return {'noted', clock[1] * 1000 + math.floor(clock[2] / 1000), last}
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
return {'noted', 0, '0-0'}
