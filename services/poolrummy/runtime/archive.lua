#!lua flags=allow-oom
-- Let a closed table go whose log is kept elsewhere: all of it or nothing.
--
-- KEYS[1] meta   [2] open tables   [3] archive   [4] head, then every key that goes, the log first
-- ARGV[1] store id  [2] table  [3] version  [4] chain (hex)  [5] number of archived tables  [6] tally  [7] place
-- reply 'archived' | 'already' | 'open' | 'conflict' | 'changed'
-- allow-oom: this is what makes room again.
if redis.call('HGET', KEYS[1], 'store') ~= ARGV[1] then return 'changed' end
local head = redis.call('HMGET', KEYS[4], 'v', 'c', 'a')
if head[3] then return 'already' end
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 1 then return 'open' end
if head[1] ~= ARGV[3] or head[2] ~= ARGV[4] then return 'conflict' end
if (redis.call('HGET', KEYS[3], 'n') or '0') ~= ARGV[5] then return 'conflict' end

-- The number says which tables a tally holds: whoever folds logs meanwhile counts none twice and misses none.
local number = string.format('%d', tonumber(ARGV[5]) + 1)
redis.call('HSET', KEYS[3], 'n', number, 'tally', ARGV[6], 'place', ARGV[7])
redis.call('HSET', KEYS[4], 'a', number)
for at = 5, #KEYS do redis.call('UNLINK', KEYS[at]) end
return 'archived'
