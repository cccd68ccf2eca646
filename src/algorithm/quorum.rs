//! Voting sets: how they are made, and whether every two of them meet.
//!
//! Sets are lists of places in the cluster, from 0. Nothing here knows what a vote is.

use crate::input::count;
use crate::model::{Names, NodeId, NodeSet, QuorumChoice};

/// The smallest set B such that B + i and B + j (mod n) meet for all i and j: every difference mod n
/// occurs between two of its members. Among the smallest, the first in lexicographic order.
///
/// Such difference covers give every node a set of the same size for every n (Luk and Wong, "Two New
/// Quorum Based Algorithms for Distributed Mutual Exclusion", ICDCS 1997).
#[must_use]
pub fn cyclic_base(n: usize) -> Vec<usize> {
    (1..=n).find_map(|size| extend(n, size, &mut vec![0])).unwrap_or_else(|| (0..n).collect())
}

/// Tries to fill `base` up to `size` members with larger ones.
fn extend(n: usize, size: usize, base: &mut Vec<usize>) -> Option<Vec<usize>> {
    if base.len() == size {
        return covers(n, base).then(|| base.clone());
    }
    for next in base.last().map_or(0, |last| last + 1)..n {
        base.push(next);
        if let Some(found) = extend(n, size, base) {
            return Some(found);
        }
        base.pop();
    }
    None
}

fn covers(n: usize, base: &[usize]) -> bool {
    let mut seen = vec![false; n];
    for a in base {
        for b in base {
            seen[(a + n - b) % n] = true;
        }
    }
    seen.into_iter().all(|s| s)
}

/// The cyclic sets: the base, moved around the ring of nodes.
#[must_use]
pub fn cyclic(n: usize) -> Vec<Vec<usize>> {
    let base = cyclic_base(n);
    let moved = |i: usize| {
        let mut set: Vec<usize> = base.iter().map(|b| (b + i) % n).collect();
        set.sort_unstable();
        set
    };
    (0..n).map(moved).collect()
}

/// Row and column of a grid that is filled row by row, with ⌈√n⌉ columns and a short last row. Every
/// column reaches every full row, so that two sets always meet.
#[must_use]
pub fn grid(n: usize) -> Vec<Vec<usize>> {
    let width = (1..=n).find(|w| w * w >= n).unwrap_or(1);
    let shares = |i: usize, j: usize| i / width == j / width || i % width == j % width;
    (0..n).map(|i| (0..n).filter(|j| shares(i, *j)).collect()).collect()
}

/// The lines of a projective plane with n points, where difference sets give one: every two lines meet
/// in exactly one point, and n = K(K-1)+1.
#[must_use]
pub fn plane(n: usize) -> Option<Vec<Vec<usize>>> {
    let size = cyclic_base(n).len();
    (n == size * (size - 1) + 1).then(|| cyclic(n))
}

/// Paths of a binary tree that is filled row by row: from the root by way of the node to a leaf, below
/// the node always to the left. All of them hold the root.
///
/// The quorums of a tree in which every node answers (Agrawal and El Abbadi, "An Efficient and
/// Fault-Tolerant Solution for Distributed Mutual Exclusion", ACM TOCS 9(1), 1991). Sets that do
/// without a node are given as lists.
#[must_use]
pub fn tree(n: usize) -> Vec<Vec<usize>> {
    let above = |i: usize| std::iter::successors(Some(i), |i| i.checked_sub(1).map(|i| i / 2));
    let below = |i: usize| std::iter::successors(Some(2 * i + 1), |i| Some(2 * i + 1));
    let path = |i: usize| {
        let mut set: Vec<usize> = above(i).chain(below(i).take_while(|j| *j < n)).collect();
        set.sort_unstable();
        set
    };
    (0..n).map(path).collect()
}

/// Two nodes whose sets do not meet, if there are any: the first such pair.
#[must_use]
pub fn disjoint_pair(sets: &[Vec<usize>]) -> Option<(usize, usize)> {
    let apart = |a: &[usize], b: &[usize]| a.iter().all(|x| !b.contains(x));
    let pairs = (0..sets.len()).flat_map(|i| (i..sets.len()).map(move |j| (i, j)));
    pairs.into_iter().find(|(i, j)| apart(&sets[*i], &sets[*j]))
}

/// The voting sets of a cluster of `n` clients.
///
/// # Errors
/// A sentence for people: no plane of that size, a set too many or too few, a name that is not a
/// client's, or two sets that do not meet where they have to.
pub fn voting_sets(
    choice: &QuorumChoice,
    names: &Names,
    n: usize,
    must_meet: bool,
) -> Result<Vec<NodeSet>, String> {
    let sets = match choice {
        QuorumChoice::Cyclic => cyclic(n),
        QuorumChoice::Grid => grid(n),
        QuorumChoice::Tree => tree(n),
        QuorumChoice::Plane => plane(n).ok_or_else(|| {
            let sizes: Vec<String> =
                (2..=16).filter(|n| plane(*n).is_some()).map(|n| n.to_string()).collect();
            format!(
                "no projective plane has {n} points; up to 16 nodes there is one for {}",
                sizes.join(", ")
            )
        })?,
        QuorumChoice::Sets(given) => places(given, names, n)?,
    };
    if let Some((i, j)) = disjoint_pair(&sets).filter(|_| must_meet) {
        let show = |i: usize| {
            let members: Vec<&str> = sets[i].iter().map(|m| names.get(NodeId::at(*m))).collect();
            format!("{} of {}", members.join(" "), names.get(NodeId::at(i)))
        };
        return Err(format!(
            "the voting sets {} and {} do not meet: both could be inside at once",
            show(i),
            show(j)
        ));
    }
    Ok(sets.into_iter().map(|set| set.into_iter().map(NodeId::at).collect()).collect())
}

/// Given sets, as places.
fn places(given: &[Vec<String>], names: &Names, n: usize) -> Result<Vec<Vec<usize>>, String> {
    if given.len() != n {
        let (sets, nodes) = (count(given.len(), "voting set"), count(n, "node"));
        return Err(format!("{sets} for {nodes}; give one a node"));
    }
    let place = |name: &String| {
        let found = names.find(name).map(NodeId::index).filter(|i| *i < n);
        found.ok_or_else(|| {
            let known: Vec<&str> = names.iter().take(n).collect();
            format!("no node `{name}` can vote; this cluster has {}", known.join(", "))
        })
    };
    let one = |(i, set): (usize, &Vec<String>)| {
        if set.is_empty() {
            return Err(format!("the voting set of {} is empty", names.get(NodeId::at(i))));
        }
        set.iter().map(place).collect()
    };
    given.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cyclic_sets_are_those_of_the_table() {
        let table = [
            (2, "01"),
            (3, "01"),
            (4, "012"),
            (5, "012"),
            (6, "013"),
            (7, "013"),
            (8, "0124"),
            (9, "0124"),
            (10, "0125"),
            (11, "0125"),
            (12, "0137"),
            (13, "0139"),
            (14, "01237"),
            (15, "01237"),
            (16, "01258"),
        ];
        for (n, base) in table {
            let found: String = cyclic_base(n).iter().map(ToString::to_string).collect();
            assert_eq!(found, base, "n={n}");
            assert_eq!(disjoint_pair(&cyclic(n)), None, "n={n}");
        }
        assert_eq!(cyclic_base(1), [0]);
    }

    #[test]
    fn grid_sets_meet_for_every_size() {
        for n in 1..=40 {
            assert_eq!(disjoint_pair(&grid(n)), None, "n={n}");
        }
        let sizes: Vec<usize> = grid(10).iter().map(Vec::len).collect();
        let messages: Vec<usize> = sizes.iter().map(|k| 3 * (k - 1)).collect();
        assert_eq!(messages.iter().min(), Some(&9));
        assert_eq!(messages.iter().max(), Some(&15));
        assert_eq!(messages.iter().sum::<usize>(), 126);
    }

    /// Case H25.
    #[test]
    fn process_14_of_a_6x6_grid_has_the_district_of_the_book() {
        let from_one: Vec<usize> = grid(36)[13].iter().map(|i| i + 1).collect();
        assert_eq!(from_one, [2, 8, 13, 14, 15, 16, 17, 18, 20, 26, 32]);
    }

    /// Case H22: a grid with ⌊√n⌋ columns whose columns are cut short.
    #[test]
    fn a_grid_with_too_few_columns_has_sets_that_do_not_meet() {
        let cut = |n: usize| -> Vec<Vec<usize>> {
            let w = (1..=n).filter(|w| w * w <= n).max().unwrap_or(1);
            let shares = |i: usize, j: usize| i / w == j / w || i % w == j % w && j / w < w;
            (0..n).map(|i| (0..n).filter(|j| shares(i, *j)).collect()).collect()
        };
        let apart = |sets: &[Vec<usize>]| {
            let pairs = (0..sets.len()).flat_map(|i| (i + 1..sets.len()).map(move |j| (i, j)));
            let meet = |(i, j): &(usize, usize)| sets[*i].iter().any(|x| sets[*j].contains(x));
            pairs.filter(|pair| !meet(pair)).collect::<Vec<_>>()
        };
        assert_eq!(cut(7)[4..], [vec![0, 2, 4, 5], vec![1, 3, 4, 5], vec![0, 2, 6]]);
        assert_eq!(apart(&cut(8)), [(4, 7), (5, 6)]);
        assert_eq!(apart(&cut(13)), [(10, 12), (11, 12)]);
        assert_eq!((apart(&cut(14)).len(), apart(&cut(15)).len()), (4, 6));
        assert_eq!(disjoint_pair(&cut(7)), Some((5, 6)));
        assert_eq!(disjoint_pair(&cut(8)), Some((4, 7)));
        assert_eq!(disjoint_pair(&cut(13)), Some((10, 12)));
        for good in [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 16] {
            assert_eq!(disjoint_pair(&cut(good)), None, "n={good}");
        }
    }

    /// Case H23.
    #[test]
    fn lines_of_a_plane_meet_in_exactly_one_point() {
        for (n, size) in [(3, 2), (7, 3), (13, 4)] {
            let lines = plane(n).expect("a plane");
            for (i, a) in lines.iter().enumerate() {
                assert_eq!(a.len(), size);
                for b in &lines[i + 1..] {
                    assert_eq!(a.iter().filter(|x| b.contains(x)).count(), 1);
                }
            }
        }
        assert_eq!(plane(10), None);
    }

    #[test]
    fn paths_of_a_tree_meet_at_its_root_and_have_one_node_a_row() {
        let rows = [vec![0, 1, 3], vec![0, 1, 3], vec![0, 2, 5], vec![0, 1, 3], vec![0, 1, 4]];
        assert_eq!(tree(7)[..5], rows);
        assert_eq!(tree(7)[5..], [vec![0, 2, 5], vec![0, 2, 6]]);
        for n in 1..=40 {
            let sets = tree(n);
            assert_eq!(disjoint_pair(&sets), None, "n={n}");
            for (i, set) in sets.iter().enumerate() {
                assert!(set.contains(&i) && set.contains(&0), "n={n}");
                assert!(set.windows(2).all(|w| (w[1] - 1) / 2 == w[0]), "n={n}");
                assert!(2 * set[set.len() - 1] + 1 >= n, "a path ends at a leaf, n={n}");
            }
        }
    }

    /// Case H23: K(K-1)+1 nodes need sets of K, and a difference set of K numbers is enough.
    #[test]
    fn nine_voters_are_enough_for_73_nodes() {
        let singer: [(usize, &[usize]); 4] = [
            (31, &[0, 1, 3, 8, 12, 18]),
            (57, &[0, 1, 3, 13, 32, 36, 43, 52]),
            (73, &[0, 1, 3, 7, 15, 31, 36, 54, 63]),
            (91, &[0, 1, 3, 9, 27, 49, 56, 61, 77, 81]),
        ];
        for (n, base) in singer {
            assert_eq!(n, base.len() * (base.len() - 1) + 1);
            assert!(covers(n, base), "n={n}");
        }
        for (n, size) in [(3, 2), (7, 3), (13, 4), (21, 5), (31, 6)] {
            assert_eq!(cyclic_base(n).len(), size, "n={n}");
        }
    }

    #[test]
    fn sets_that_do_not_fit_are_refused_with_the_reason() {
        let names = Names::new(vec!["A".into(), "B".into(), "C".into(), "S".into()]);
        let refused = |sets: &[&[&str]]| {
            let given = sets.iter().map(|s| s.iter().map(|n| (*n).to_owned()).collect()).collect();
            voting_sets(&QuorumChoice::Sets(given), &names, 3, true).expect_err("no sets")
        };
        assert_eq!(
            refused(&[&["A", "B"], &["B", "C"], &["C"]]),
            "the voting sets A B of A and C of C do not meet: both could be inside at once"
        );
        assert_eq!(refused(&[&["A"]]), "1 voting set for 3 nodes; give one a node");
        assert_eq!(
            refused(&[&["A"], &["A", "S"], &["A"]]),
            "no node `S` can vote; this cluster has A, B, C"
        );
        assert_eq!(refused(&[&["A"], &[], &["A"]]), "the voting set of B is empty");
        assert_eq!(
            voting_sets(&QuorumChoice::Plane, &names, 4, true),
            Err("no projective plane has 4 points; up to 16 nodes there is one for 3, 7, 13".into())
        );
    }
}
