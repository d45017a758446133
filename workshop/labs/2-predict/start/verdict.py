"""What several processes say together."""


def interval(ratios):
    """The 95 % interval of the true ratio, as (low, high), from one ratio for each process.

    TODO: the processes are the replicates. Take logarithms, because a ratio of 2 is as far from 1 as one of 1/2; take
    their mean and its standard error; Student's t with one degree of freedom less than there are processes; go back.
    """
    return min(ratios), max(ratios)
