"""Matches on a Dask cluster (``pip install "ugs[dask]"``): the pools behind ``ugs match --cluster``.

Nothing of ugs imports this package; it is found by its entry points of the group ``ugs.runners``. It alone imports
``distributed``::

    opening.py         opens the clusters that have a name: local ones, and schedulers
    worker_pool.py     the workers of a scheduler as a pool that plays batches
    gathered.py        what comes one by one is taken together
    front.py           what handing out work to a thousand workers costs: `ugs bench --cluster`
    crew.py            the simulated workers of that, by the hundred
    made_up_worker.py  one of them: a scheduler sees no difference to Dask's
    batch_task.py      what a worker runs
    packed_batches.py  several batches and their results in one message
"""
