#!lua flags=allow-oom
-- Keep a lease, and see how far its stream goes.
--
-- KEYS[1] lease hash   [2] dealer hash   [3] inbox      ARGV[1] token  [2] lease ms  [3] role  [4] 'renew' | 'begin'
-- reply {'fenced'} | {'lost'} | {'mine', now, offset, last id of the inbox (dealer) or the feed (others)}
local held = redis.call('HMGET', KEYS[1], 'token', 'offset', 'lost')
if not held[1] or held[1] ~= ARGV[1] then return {'fenced'} end
if held[3] == '1' and ARGV[4] == 'renew' then
  -- A rebuild takes longer than a lease: the owner keeps it, and learns that it is lost.
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('HSET', KEYS[1], 'until', string.format('%d', now + tonumber(ARGV[2])), 'alive', string.format('%d', now))
  return {'lost'}
end
if ARGV[4] == 'begin' then
  redis.call('HSET', KEYS[1], 'began', '1')
  return {'mine', 0, held[2], held[2]}
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('HSET', KEYS[1], 'until', string.format('%d', now + tonumber(ARGV[2])), 'alive', string.format('%d', now))
local last = '0-0'
if ARGV[3] == 'dealer' then
  local entry = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
  if entry[1] then last = entry[1][1] else last = held[2] end
else
  last = (redis.call('HGET', KEYS[2], 'feed') or '0') .. '-0'
end
return {'mine', now, held[2], last}
