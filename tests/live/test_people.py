"""The staff of a store that several processes share."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from houseway.house.people import People, Person


def test_of_many_who_add_the_same_names_at_once_one_succeeds_each_time(store_url, open_store) -> None:
    houses = [People(open_store(store_url)) for _ in range(4)]

    def add_all(people: People) -> list[bool]:
        return [people.add(Person(f"person {number}", "dealer", "hash")) for number in range(25)]

    with ThreadPoolExecutor(len(houses)) as pool:
        added = list(pool.map(add_all, houses))
    assert [sum(one) for one in zip(*added, strict=True)] == [1] * 25
    assert len(houses[0].all()) == 25


def test_of_many_who_change_somebody_at_once_the_last_is_kept(store_url, open_store) -> None:
    houses, ann = [People(open_store(store_url)) for _ in range(4)], Person("Ann", "dealer", "hash")

    def change(people: People) -> None:
        for number in range(25):
            people.put(replace(ann, failures=number))

    with ThreadPoolExecutor(len(houses)) as pool:
        list(pool.map(change, houses))
    assert houses[0].all() == [replace(ann, failures=24)]
    assert houses[0].failed("Ann", most=3) == 25
