"""Championships on paper: the plan of one, and who plays whom, where and when. No wire, no clock, no chance.

* ``plan``: the plan file, :class:`~ugs.championship.plan.Plan`; ``ledger``: what has happened, entry by entry;
* ``schedule``: what every format can do, :class:`~ugs.championship.schedule.Schedule`;
* ``formats``: the table of formats, and ``make``, which makes the schedule of a plan;
* ``fixed``: formats whose games are all known beforehand, ``round_robin`` and ``gauntlet``, with ``groups`` (who plays
  with whom in games of three and more) and ``seats`` (who sits where);
* ``swiss``, with ``swiss_pairs``, ``swiss_groups`` and ``matching``; ``knock_out``, with ``bracket``; ``ladder``;
* ``balance`` and ``forecast``: how fair and how long it will be; ``telling``: the ledger in words for people.
"""
