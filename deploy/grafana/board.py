"""What stands on the board: rows of panels, each a title, a unit and its queries."""

from typing import Final, NamedTuple


class Query(NamedTuple):
    """One line of a panel, and how it is named in the legend."""

    expr: str
    legend: str = ""


class Panel(NamedTuple):
    """A graph, or a single number with the value from which it is red."""

    title: str
    unit: str
    queries: tuple[Query, ...]
    says: str = ""
    red_from: float | None = None
    number: bool = False
    stacked: bool = False


def number(title: str, unit: str, expr: str, *, red_from: float | None = None, says: str = "") -> Panel:
    """A single number."""
    return Panel(title, unit, (Query(expr),), says, red_from, number=True)


def graph(title: str, unit: str, *queries: Query, says: str = "", stacked: bool = False) -> Panel:
    """Lines over time."""
    return Panel(title, unit, queries, says, stacked=stacked)


def ack(quantile: str) -> Query:
    """A quantile of the time from a command's arrival to its stored answer."""
    return Query(
        f"histogram_quantile({quantile}, sum by (le) (rate(poolrummy_ack_seconds_bucket[5m])))", f"p{quantile[2:]:0<2}"
    )


ROWS: Final[tuple[tuple[str, tuple[Panel, ...]], ...]] = (
    (
        "Now",
        (
            number("Tables playing", "short", 'sum(poolrummy:tables:count{state="playing"})'),
            number("Deals a minute", "short", "poolrummy:deals:rate5m * 60"),
            number("Moves a second", "short", "poolrummy:moves:rate5m"),
            number("Answer, slowest in a hundred", "s", "poolrummy:ack_seconds:p99_5m", red_from=0.1),
            number("Events behind", "short", "max(sum by (role) (poolrummy_feed_lag_events))", red_from=5000),
            number(
                "Frozen or broken tables", "short", "sum(rummy_frozen_tables) + sum(rummy_broken_tables)", red_from=1
            ),
            number("Partitions without an owner", "short", "max(role:partitions_unowned:count)", red_from=1),
            number("Alerts", "short", 'count(ALERTS{alertstate="firing"}) or vector(0)', red_from=1),
        ),
    ),
    (
        "Play",
        (
            graph(
                "Tables by state", "short", Query("sum by (state) (poolrummy:tables:count)", "{{state}}"), stacked=True
            ),
            graph(
                "Tables by variant",
                "short",
                Query("sum by (variant) (poolrummy:tables:count)", "{{variant}}"),
                stacked=True,
            ),
            graph(
                "Deals a minute, by end",
                "short",
                Query("sum by (end) (rate(rummy_deals_total[5m])) * 60", "{{end}}"),
                stacked=True,
            ),
            graph(
                "Moves a second",
                "short",
                Query("sum by (move) (rate(rummy_moves_total[5m]))", "{{move}}"),
                Query("sum(rate(rummy_automatic_moves_total[5m]))", "made for a seat"),
            ),
            graph(
                "Turns that ran out, per move",
                "percentunit",
                Query("poolrummy:turn_timeouts:rate5m / poolrummy:moves:rate5m", "ran out"),
                says="A jump means that players lose us, or that we are slow.",
            ),
            graph(
                "Drops a minute, by kind",
                "short",
                Query("sum by (kind) (rate(rummy_drops_total[5m])) * 60", "{{kind}}"),
            ),
            graph(
                "Wrong shows a minute, by reason",
                "short",
                Query('sum by (reason) (rate(rummy_declarations_total{verdict="wrong"}[5m])) * 60', "{{reason}}"),
            ),
            graph(
                "Shows that were wrong",
                "percentunit",
                Query(
                    'sum(rate(rummy_declarations_total{verdict="wrong"}[15m]))'
                    " / sum(rate(rummy_declarations_total[15m]))",
                    "wrong",
                ),
            ),
        ),
    ),
    (
        "Matches and money",
        (
            graph(
                "Tables opened an hour",
                "short",
                Query("sum by (variant) (rate(rummy_tables_opened_total[15m])) * 3600", "{{variant}}"),
            ),
            graph(
                "Matches ended an hour",
                "short",
                Query("sum by (end) (rate(rummy_matches_total[15m])) * 3600", "{{end}}"),
            ),
            graph(
                "Eliminations, forfeits, rejoins an hour",
                "short",
                Query("sum(rate(rummy_eliminations_total[15m])) * 3600", "eliminated"),
                Query("sum(rate(rummy_forfeits_total[15m])) * 3600", "left"),
                Query("sum by (answer) (rate(rummy_rejoins_total[15m])) * 3600", "rejoin {{answer}}"),
            ),
            graph(
                "Splits an hour", "short", Query("sum by (answer) (rate(rummy_splits_total[15m])) * 3600", "{{answer}}")
            ),
            graph(
                "Fees an hour, in minor units",
                "short",
                Query("sum by (currency) (rate(rummy_fee_minor_total[15m])) * 3600", "{{currency}}"),
                says="What the house keeps of entries and rejoins.",
            ),
        ),
    ),
    (
        "Speed",
        (
            graph("From arrival to stored answer", "s", ack("0.5"), ack("0.95"), ack("0.99"), ack("0.999")),
            graph(
                "Promises broken, last hour",
                "percentunit",
                Query("slo:sli_error:ratio_rate1h", "{{slo}}"),
                says="The budget of 30 days is 0.1 %; a page comes at 1.44 %.",
            ),
            graph(
                "Inbox: how long commands wait",
                "s",
                Query("histogram_quantile(0.99, sum by (le) (rate(poolrummy_inbox_age_seconds_bucket[5m])))", "p99"),
            ),
            graph(
                "One pipeline of appends",
                "s",
                Query("histogram_quantile(0.99, sum by (le) (rate(poolrummy_append_seconds_bucket[5m])))", "p99"),
            ),
            graph(
                "One batch decided",
                "s",
                Query(
                    "histogram_quantile(0.99, sum by (le, role) (rate(poolrummy_handle_seconds_bucket[5m])))",
                    "{{role}} p99",
                ),
            ),
            graph(
                "One verdict",
                "s",
                Query("histogram_quantile(0.99, sum by (le) (rate(rummy_verdict_seconds_bucket[5m])))", "p99"),
            ),
            graph(
                "Verdicts a minute", "short", Query("sum by (kind) (rate(rummy_verdicts_total[5m])) * 60", "{{kind}}")
            ),
            graph("Events recorded a second", "short", Query("sum(rate(poolrummy_events_total[5m]))", "events")),
        ),
    ),
    (
        "Freshness and lag",
        (
            graph(
                "How old events are when their effect is stored",
                "s",
                Query(
                    "histogram_quantile(0.99, sum by (le, role) (rate(poolrummy_effect_age_seconds_bucket[5m])))",
                    "{{role}} p99",
                ),
            ),
            graph(
                "How old events are when they are read",
                "s",
                Query(
                    "histogram_quantile(0.99, sum by (le, role) (rate(poolrummy_feed_age_seconds_bucket[5m])))",
                    "{{role}} p99",
                ),
            ),
            graph("Events behind", "short", Query("sum by (role) (poolrummy_feed_lag_events)", "{{role}}")),
            graph(
                "Quietest table, by phase",
                "s",
                Query("max by (phase) (rummy_table_oldest_progress_seconds) > 0", "{{phase}}"),
                Query("max(rummy_deadline_overdue_seconds)", "clock overdue"),
            ),
            graph(
                "Entries that wait without progress",
                "s",
                Query("max by (role) (poolrummy_oldest_waiting_seconds)", "{{role}}"),
            ),
            graph("Tables whose views stand still", "short", Query("sum(rummy_tables_stuck)", "stuck")),
        ),
    ),
    (
        "Faults",
        (
            graph(
                "Set aside in 15 minutes",
                "short",
                Query("sum by (role) (increase(poolrummy_parked_total[15m]))", "parked by {{role}}"),
                Query("sum by (role) (increase(poolrummy_poisoned_total[15m]))", "our own code failed: {{role}}"),
            ),
            graph("Takeovers in 15 minutes", "short", Query("role:takeovers:increase15m", "{{role}}")),
            graph(
                "Ownerships that ended in a fault, 15 minutes",
                "short",
                Query("sum by (role, fault) (increase(poolrummy_tenures_ended_total[15m])) > 0", "{{role}} {{fault}}"),
            ),
            graph(
                "Time without an owner, per hour",
                "s",
                Query("sum by (role) (increase(poolrummy_unowned_seconds_total[1h]))", "{{role}}"),
                Query("sum(increase(rummy_clock_shifts_total[1h]))", "tables whose clocks moved"),
            ),
            graph(
                "Appends that were refused",
                "short",
                Query('sum by (code) (rate(poolrummy_appends_total{code!="appended"}[5m]))', "{{code}}"),
            ),
            graph(
                "Tables frozen an hour, by whom",
                "short",
                Query("sum by (by) (increase(rummy_freezes_total[1h]))", "{{by}}"),
            ),
            graph("Partitions held", "short", Query("sum by (role) (poolrummy_partitions_owned)", "{{role}}")),
            graph("Ready", "short", Query("min by (role, instance) (poolrummy_ready)", "{{role}} {{instance}}")),
            graph(
                "Memory of the Redis server",
                "bytes",
                Query("max(poolrummy_server_memory_bytes)", "used"),
                Query("max(poolrummy_server_memory_limit_bytes) > 0", "limit"),
            ),
            graph(
                "Clock against the server's",
                "s",
                Query("max by (instance) (poolrummy_clock_skew_seconds)", "{{instance}}"),
                Query("max(poolrummy_inbox_ahead_seconds)", "commands stamped ahead"),
            ),
        ),
    ),
    (
        "Evidence and fairness",
        (
            graph(
                "Packs: deviation from even",
                "short",
                Query("max by (decks, printed_jokers) (rummy_pack_unevenness_sigmas)", "{{decks}} decks, highest"),
                Query("min by (decks, printed_jokers) (rummy_pack_unevenness_sigmas)", "{{decks}} decks, lowest"),
                says="Standard deviations of chi-square, position by face; beyond 6 either way is no chance.",
            ),
            graph(
                "Packs that are watched",
                "short",
                Query("sum by (decks, printed_jokers) (rummy_watched_packs)", "{{decks}} decks"),
            ),
            graph("Oldest event without a signature", "s", Query("max(rummy_checkpoint_age_seconds)", "oldest")),
            graph(
                "Checkpoints",
                "short",
                Query("sum(rate(rummy_checkpoints_total[5m])) * 60", "signed a minute"),
                Query("sum(rummy_unsigned_events)", "events that wait"),
                Query("sum(rummy_refused_logs)", "logs refused"),
            ),
            graph(
                "Last audit",
                "short",
                Query("sum by (outcome) (rummy_audited_tables)", "{{outcome}}"),
                Query("sum by (check) (rummy_audit_failures) > 0", "wrong in {{check}}"),
            ),
            graph("Since the last audit", "s", Query("time() - max(rummy_audit_last_run_timestamp_seconds)", "ago")),
        ),
    ),
)
