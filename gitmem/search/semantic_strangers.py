"""Queries about other things, to tell how near a query comes that is not answered.

Half of them are from the work of programmers, so that speaking of programs is not
enough to be near. None was chosen by what it does to a figure.
"""

from typing import Final

STRANGERS: Final = tuple(
    line.strip()
    for line in """
    rotate the api keys of the payment provider
    center a button with flexbox on small screens
    migrate the users table to uuid primary keys
    retry failed webhook deliveries with backoff
    cache product images at the cdn edge
    memory leak in the video decoder thread
    kubernetes pod evicted for disk pressure
    translate the checkout page into french
    flaky selenium login test on safari
    compress nightly database dumps
    tune garbage collection pauses of the jvm
    parse csv exports with semicolons
    upgrade webpack and drop old browsers
    rate limit the public graphql endpoint
    draw a scatter plot with two axes
    train the churn model on last year's orders
    oauth redirect loop after logout
    deadlock between two postgres transactions
    dark mode colors for the settings screen
    send push notifications to android devices
    resize uploaded avatars before storing them
    terraform state lock cannot be released
    websocket reconnects after sleep
    round invoice totals to two decimals
    add pagination to the customer list
    segmentation fault when freeing the audio buffer
    schedule the newsletter for monday morning
    validate phone numbers in the signup form
    move the monolith's search to elasticsearch
    reduce bundle size of the landing page
    stack overflow in the recursive descent parser
    sign macos binaries and notarize them
    deploy previews for every pull request
    mock the clock in unit tests
    sort a linked list in place
    read temperature sensors over bluetooth
    simulate traffic at a roundabout
    open a file and read it line by line
    remove duplicate rows from a spreadsheet
    convert markdown tables to html
    linker error with a static library
    shader compiles slowly on old graphics cards
    kafka consumer lag keeps growing
    encrypt backups with a hardware key
    raise an exception for an unknown encoding
    format dates in the user's time zone
    generate thumbnails of pdf pages
    fix accessibility labels for screen readers
    collision detection in the platform game
    count words in a large text file
    return an iterator over all matching elements
    set the default value of an optional argument
    ship the order from the nearest warehouse
    book a dentist appointment for next week
    recipe for lentil soup with cumin
    what to wear to a wedding in autumn
    she plays the cello in a string quartet
    train timetable between two cities
    the dog chased a squirrel around the garden
    plan a birthday party for the children
    learn spanish before the summer holidays
    paint the kitchen walls light blue
    my brother started a new job at the bank
    how long does it take to grow tomatoes
    """.strip().splitlines()
)
