#!lua flags=allow-oom
-- Drop what everybody has read; a role that lags beyond its bound is lost and holds nothing back.
--
-- KEYS[1] dealer hash   [2] inbox   [3] feed   [4] roles, then the hash of each role
-- ARGV[1] lag ms  [2] lag entries  [3] feed entries kept in any case, then the name of each role
-- reply {'again'} if another role registered meanwhile, else {'trimmed', inbox entries, feed entries, then name, lag,
--   newly lost of each role}
local names = #ARGV - 3
if redis.call('SCARD', KEYS[4]) ~= names then return {'again'} end
for i = 1, names do
  if redis.call('SISMEMBER', KEYS[4], ARGV[3 + i]) == 0 then return {'again'} end
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local dealer = redis.call('HMGET', KEYS[1], 'offset', 'feed', 'trimmed')
local feed = tonumber(dealer[2] or '0')
local trimmed = tonumber(dealer[3] or '0')
local lag_ms, lag_entries = tonumber(ARGV[1]), tonumber(ARGV[2])

-- Without any role that follows, the feed keeps what a consumer may lag at most.
local cut
local reply = {'trimmed', 0, 0}
for i = 1, names do
  local key = KEYS[4 + i]
  local held = redis.call('HMGET', key, 'offset', 'lost')
  local n = tonumber(string.match(held[1] or '0-0', '^%d+'))
  local lag = feed - n
  local lost, newly = held[2] == '1', 0
  if not lost and lag > 0 then
    local from = string.format('%d-0', n + 1)
    local oldest = redis.call('XRANGE', KEYS[3], from, from)[1]
    local age = 0
    if oldest then
      for f = 1, #oldest[2], 2 do
        if oldest[2][f] == 'm' then age = now - tonumber(oldest[2][f + 1]) end
      end
    end
    if lag > lag_entries or age > lag_ms or n < trimmed then
      redis.call('HSET', key, 'lost', '1')
      lost, newly = true, 1
    end
  end
  if not lost and (not cut or n < cut) then cut = n end
  reply[#reply + 1] = ARGV[3 + i]
  reply[#reply + 1] = lag
  reply[#reply + 1] = newly
end
if not cut then cut = math.max(0, feed - lag_entries) end
cut = math.min(cut, feed - tonumber(ARGV[3]))

if dealer[1] then reply[2] = redis.call('XTRIM', KEYS[2], 'MINID', '=', dealer[1]) end
if cut > trimmed then
  reply[3] = redis.call('XTRIM', KEYS[3], 'MINID', '=', string.format('%d-0', cut + 1))
  redis.call('HSET', KEYS[1], 'trimmed', string.format('%d', cut))
end
return reply
