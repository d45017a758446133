# SPDX-License-Identifier: Apache-2.0
"""Takes 20,000 orders and reports on them, by Python's own ``sqlite3`` module. docs/your-library.md profiles it."""

import random
import sqlite3

CUSTOMERS = 500
ORDERS = 20_000

random.seed(1)
database = sqlite3.connect(":memory:")
database.executescript(
    """
    create table customer (id integer primary key, name text not null, note blob);
    create table article (id integer primary key, customer integer not null, title text, price real);
    create index by_customer on article (customer);
    """
)
with database:
    customers = ((number, f"customer {number}", bytes(number % 200)) for number in range(CUSTOMERS))
    database.executemany("insert into customer values (?, ?, ?)", customers)
with database:
    for number in range(ORDERS):
        row = (random.randrange(CUSTOMERS), f"article {number % 97}", random.random() * 100)
        database.execute("insert into article (customer, title, price) values (?, ?, ?)", row)
best = database.execute(
    "select name, count(*), sum(price) from article join customer on customer.id = customer "
    "group by name order by 3 desc"
).fetchmany(3)
for name, count, total in best:
    print(f"{name}: {count} orders, {total:.2f}")
longest = 0
for customer in range(CUSTOMERS):
    query = "select title, price, note from article join customer on customer.id = customer where customer = ?"
    for title, _, note in database.execute(query, (customer,)):
        longest = max(longest, len(title) + len(note))
print(f"longest: {longest}")
