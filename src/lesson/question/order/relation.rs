//! Orders of cards against a relation of which comes before which.
//!
//! Cards are numbers here; what they say is not known.

use crate::lesson::question::choice::MOST_OPTIONS;

/// What comes before something comes before all that this comes before.
pub(super) fn close(before: &mut [Vec<bool>]) {
    for middle in 0..before.len() {
        for first in 0..before.len() {
            if before[first][middle] {
                let after = before[middle].clone();
                before[first].iter_mut().zip(after).for_each(|(known, new)| *known |= new);
            }
        }
    }
}

/// The first place of an order that has something after it that comes before it.
pub(super) fn first_misplaced(order: &[usize], before: &[Vec<bool>]) -> Option<usize> {
    (0..order.len()).find(|i| order[i + 1..].iter().any(|later| before[*later][order[*i]]))
}

/// How many cards can stay where they are: the largest part of an order that has nothing misplaced.
pub(super) fn can_stay(order: &[usize], before: &[Vec<bool>]) -> usize {
    let sets = 0..1_u32 << order.len().min(MOST_OPTIONS);
    let part = |set: u32| -> Vec<usize> {
        order.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, card)| *card).collect()
    };
    let kept = sets.map(part).filter(|part| first_misplaced(part, before).is_none());
    kept.map(|part| part.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn relation(n: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut before = vec![vec![false; n]; n];
        for (a, b) in edges {
            before[*a % n][*b % n] = a % n < b % n;
        }
        close(&mut before);
        before
    }

    /// Every order of the numbers below n.
    fn orders(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let insert = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..n).map(|i| [&order[..i], &[n - 1], &order[i..]].concat()).collect()
        };
        orders(n - 1).iter().flat_map(insert).collect()
    }

    /// The fewest cards that have to be taken out and put in again, by trying every right order.
    fn fewest_moves(order: &[usize], before: &[Vec<bool>]) -> usize {
        let common = |a: &[usize], b: &[usize]| {
            let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
            for (i, x) in a.iter().enumerate() {
                for (k, y) in b.iter().enumerate() {
                    let skipped = table[i][k + 1].max(table[i + 1][k]);
                    table[i + 1][k + 1] = if x == y { table[i][k] + 1 } else { skipped };
                }
            }
            table[a.len()][b.len()]
        };
        let right =
            orders(order.len()).into_iter().filter(|o| first_misplaced(o, before).is_none());
        right
            .map(|o| order.len() - common(order, &o))
            .min()
            .expect("a relation without circles has an order")
    }

    proptest! {
        #[test]
        fn what_can_stay_leaves_the_fewest_moves(
            order in Just((0..6_usize).collect::<Vec<_>>()).prop_shuffle(),
            edges in prop::collection::vec((0..6_usize, 0..6_usize), 0..8),
        ) {
            let before = relation(6, &edges);
            prop_assert_eq!(6 - can_stay(&order, &before), fewest_moves(&order, &before));
        }
    }
}
