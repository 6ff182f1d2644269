#!lua flags=allow-oom
-- A consumer of the feed stores its effects and its offset in one step.
--
-- KEYS[1] lease hash   [2] dealer hash   [3] inbox   [4] parked, then one key for each effect on a view
-- ARGV[1] token  [2] offset from  [3] offset to  [4] '' | 'part' of a rebuild | 'rebuilt'  [5] parked lines kept  [6] number of effects,
--   then kind and two arguments of each effect
-- reply 'committed' | 'fenced' | 'lost' | 'offset-moved'
local held = redis.call('HMGET', KEYS[1], 'token', 'offset', 'lost')
if not held[1] or held[1] ~= ARGV[1] then return 'fenced' end
if (held[2] or '0-0') ~= ARGV[2] then return 'offset-moved' end
if held[3] == '1' and ARGV[4] == '' then return 'lost' end
local to_n = tonumber(string.match(ARGV[3], '^%d+'))
-- The feed may have been trimmed past this point while the role rebuilt: then it has to note a later one.
if ARGV[4] ~= 'part' and to_n < tonumber(redis.call('HGET', KEYS[2], 'trimmed') or '0') then return 'lost' end

local COMMANDS = {
  put = 'SET', drop = 'DEL', putfield = 'HSET', dropfield = 'HDEL',
  include = 'SADD', exclude = 'SREM', rank = 'ZADD', unrank = 'ZREM',
}
local count = tonumber(ARGV[6])
local key = 4
for i = 0, count - 1 do
  local kind = ARGV[7 + i * 3]
  if COMMANDS[kind] then
    key = key + 1
    if not string.find(KEYS[key], ':view:', 1, true) then return redis.error_reply('NOVIEW ' .. KEYS[key]) end
  elseif kind ~= 'send' and kind ~= 'park' then
    return redis.error_reply('NOEFFECT ' .. kind)
  end
end

key = 4
for i = 0, count - 1 do
  local kind, one, two = ARGV[7 + i * 3], ARGV[8 + i * 3], ARGV[9 + i * 3]
  if kind == 'send' then
    redis.call('XADD', KEYS[3], '*', 'e', one)
  elseif kind == 'park' then
    redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], '*', 'e', one)
  else
    key = key + 1
    if kind == 'putfield' then
      redis.call('HSET', KEYS[key], one, two)
    elseif kind == 'rank' then
      redis.call('ZADD', KEYS[key], two, one)
    elseif kind == 'drop' then
      redis.call('DEL', KEYS[key])
    else
      redis.call(COMMANDS[kind], KEYS[key], one)
    end
  end
end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[1], 'offset', ARGV[3], 'alive', string.format('%d', clock[1] * 1000 + math.floor(clock[2] / 1000)))
if ARGV[3] ~= ARGV[2] then redis.call('HSET', KEYS[1], 'takeovers', '0') end
-- Until the last part is stored the role is lost: whoever takes over after a death in the middle does all of it again.
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'lost', ARGV[4] == 'part' and '1' or '0') end
return 'committed'
