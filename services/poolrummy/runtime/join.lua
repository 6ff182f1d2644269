#!lua flags=allow-oom
-- Say that a member serves a role, by the server's clock; who else said so lately.
--
-- KEYS[1] members      ARGV[1] member  [2] stale ms      reply members
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%d', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%d', now - tonumber(ARGV[2])))
return redis.call('ZRANGE', KEYS[1], 0, -1)
