#!lua flags=allow-oom
-- The only way into a table log: one step of the dealer, all of it or nothing.
--
-- KEYS[1] dealer hash   [2] feed   [3] replies   [4] parked   [5] open tables
-- with a table also: [6] table log   [7] head   [8] snapshot   [9] answers, slot of this call   [10] the other slot,
--   then the keys of seats: to forget, of lines, of saved values, in this order
-- ARGV[1] token  [2] offset from  [3] offset to  [4] table or ''  [5] expected version  [6] expected chain (hex)
--   [7] command id or ''  [8] reply or ''  [9] '' | 'opens' | 'closes'  [10] '1' = empty the slot first
--   [11] snapshot or ''  [12] parked line or ''  [13] replies kept  [14] parked lines kept  [15] answers kept
--   [16] number of events  [17] of keys to forget  [18] of seat lines  [19] of saved values,
--   then payload and chain (hex) of each event, then the seat lines, then the saved values
-- reply {code, version, feed number, stored offset}
-- allow-oom: at the memory limit tables that play must be able to finish; new ones are refused long before.

local token, from, to, table_id = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local events = tonumber(ARGV[16])

local owner = redis.call('HMGET', KEYS[1], 'token', 'offset', 'feed')
local offset = owner[2] or '0-0'
local n = tonumber(owner[3] or '0')
-- An absent token refuses like a wrong one: after a flush nobody owns anything.
if not owner[1] or owner[1] ~= token then return {'fenced', 0, n, offset} end
if offset ~= from then return {'offset-moved', 0, n, offset} end

local clock = redis.call('TIME')
local now = string.format('%d', clock[1] * 1000 + math.floor(clock[2] / 1000))

local function move_on()
  if to ~= from then
    redis.call('HSET', KEYS[1], 'offset', to, 'alive', now, 'takeovers', '0')
  else
    redis.call('HSET', KEYS[1], 'alive', now)
    redis.call('HDEL', KEYS[1], 'acting')  -- what clocks led to is decided and stored: nobody dies of it any more
  end
end

local function answer(reply)
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[13], '*', 'e', reply)
end

local version = 0
if table_id ~= '' then
  local command = ARGV[7]
  local head = redis.call('HMGET', KEYS[7], 'v', 'c', 'a')
  version = tonumber(head[1] or '0')
  if command ~= '' then
    local stored = redis.call('HGET', KEYS[9], command) or redis.call('HGET', KEYS[10], command)
    if stored then
      move_on()
      if stored ~= '' then answer(stored) end
      return {'duplicate', version, n, to}
    end
  end
  local expected = tonumber(ARGV[5])
  if expected == 0 and head[1] then return {'table-exists', version, n, offset} end
  if version ~= expected or (head[1] and head[2] ~= ARGV[6]) then return {'conflict', version, n, offset} end
  if head[3] and events > 0 then return {'conflict', version, n, offset} end

  local at, chain = 19, head[2]
  for _ = 1, events do
    local payload = ARGV[at + 1]
    chain = ARGV[at + 2]
    at = at + 2
    version = version + 1
    n = n + 1
    local v = string.format('%d', version)
    redis.call('XADD', KEYS[6], v .. '-0', 'e', payload, 'h', chain)
    redis.call('XADD', KEYS[2], string.format('%d-0', n), 'e', payload, 'h', chain, 't', table_id, 'v', v, 'm', now)
  end
  if events > 0 then
    redis.call('HSET', KEYS[7], 'v', string.format('%d', version), 'c', chain)
    redis.call('HSET', KEYS[1], 'feed', string.format('%d', n))
  end

  local key = 10
  for _ = 1, tonumber(ARGV[17]) do
    key = key + 1
    redis.call('DEL', KEYS[key])
  end
  for _ = 1, tonumber(ARGV[18]) do
    key = key + 1
    at = at + 1
    -- Named by the version, not by the clock: a channel that is emptied and filled again within one millisecond
    -- would begin with an id that its reader has passed already.
    redis.call('XADD', KEYS[key], string.format('%d-*', version), 'e', ARGV[at])
  end
  for _ = 1, tonumber(ARGV[19]) do
    key = key + 1
    at = at + 1
    redis.call('SET', KEYS[key], ARGV[at])
  end

  if ARGV[11] ~= '' then redis.call('SET', KEYS[8], ARGV[11]) end
  if ARGV[9] == 'opens' then
    redis.call('SADD', KEYS[5], table_id)
  elseif ARGV[9] == 'closes' then
    redis.call('SREM', KEYS[5], table_id)
    redis.call('DEL', KEYS[8])
    -- No clock of it rings any more: what it is counted for would stay for ever.
    local counted = redis.call('HGET', KEYS[1], 'ended')
    if counted then
      local left = cjson.decode(counted)
      left[table_id] = nil
      if next(left) then
        redis.call('HSET', KEYS[1], 'ended', cjson.encode(left))
      else
        redis.call('HDEL', KEYS[1], 'ended')
      end
    end
  end
  if ARGV[10] == '1' then redis.call('DEL', KEYS[9]) end
  -- Answers of calls without events may be dropped at the limit: deciding such a command again changes nothing.
  -- An archived table keeps none: it would grow again.
  if command ~= '' and not head[3] and (events > 0 or redis.call('HLEN', KEYS[9]) < tonumber(ARGV[15])) then
    redis.call('HSET', KEYS[9], command, ARGV[8])
  end
end

if ARGV[8] ~= '' then answer(ARGV[8]) end
if ARGV[12] ~= '' then redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[14], '*', 'e', ARGV[12]) end
move_on()
return {'appended', version, n, to}
