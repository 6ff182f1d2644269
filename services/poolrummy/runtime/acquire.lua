#!lua flags=allow-oom
-- Take a lease that is free, expired or one's own; every time with a new token.
--
-- KEYS[1] meta   [2] lease hash   [3] dealer hash   [4] inbox   [5] roles
-- ARGV[1] store id  [2] role  [3] member  [4] random hex  [5] lease ms
-- reply {'held'} | {'changed'} | {'mine', token, offset, takeovers, unowned ms, lost, feed number,
--   owners that ended in a row while they acted on a clock, by table (JSON)}
if redis.call('HGET', KEYS[1], 'store') ~= ARGV[1] then return {'changed'} end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local dealing = ARGV[2] == 'dealer'
local held = redis.call('HMGET', KEYS[2], 'token', 'until', 'member', 'alive', 'offset', 'takeovers', 'began', 'lost',
  'acting', 'ended')
if held[1] and tonumber(held[2]) > now and held[3] ~= ARGV[3] then return {'held'} end

local offset = held[5] or '0-0'
local progress = redis.call('HMGET', KEYS[3], 'feed', 'trimmed')
local feed = tonumber(progress[1] or '0')
local lost = held[8] == '1'
local waits
if dealing then
  local last = redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)
  waits = last[1] and last[1][1] ~= offset
else
  redis.call('SADD', KEYS[5], ARGV[2])
  local n = tonumber(string.match(offset, '^%d+'))
  waits = feed > n
  lost = lost or n < tonumber(progress[2] or '0')
end

-- An owner that was acting on clocks when it ended is a victim of one of those, and of no entry.
local ended = held[10] or '{}'
local acting = held[1] and held[3] ~= ARGV[3] and held[9]
if acting then
  local counts = cjson.decode(ended)
  for _, name in ipairs(cjson.decode(acting)) do counts[name] = (counts[name] or 0) + 1 end
  ended = cjson.encode(counts)
  redis.call('HSET', KEYS[2], 'ended', ended)
end
if held[9] then redis.call('HDEL', KEYS[2], 'acting') end

-- Only an owner that began on the entry behind this offset, and did not give the lease back, may be its victim;
-- a member that takes its own lease again is alive.
local takeovers = tonumber(held[6] or '0')
if not waits then
  takeovers = 0
elseif held[1] and held[7] == '1' and held[3] ~= ARGV[3] and not acting then
  takeovers = takeovers + 1
end

local unowned = held[4] and math.max(0, now - tonumber(held[4])) or 0
local token = string.format('%d:%s', redis.call('HINCRBY', KEYS[2], 'epoch', 1), ARGV[4])
redis.call('HSET', KEYS[2], 'token', token, 'member', ARGV[3], 'offset', offset,
  'until', string.format('%d', now + tonumber(ARGV[5])), 'alive', string.format('%d', now),
  'takeovers', string.format('%d', takeovers), 'began', '0', 'lost', lost and '1' or '0')
return {'mine', token, offset, takeovers, unowned, lost and 1 or 0, feed, ended}
