"""Why the properties that a rule text expects to be refuted are false, for the pages of the games.

Input: nothing. Output: one line for each property, named `RULES PROPERTY`. Guarantee: a property that is refuted
without switches has one entry; it has another for a switch only if the reason is different.
"""

REASONS = {
    "jjak+third-is-acquired six-six-is-not-last": "6-6 may be laid last if the pair with the tile acquired "
    "this turn counts as the third.",
    "jjak+culin two-need-the-supreme-pair": "4-2 pairs with 4-3 and 2-1 with 5-4, so no tile needs the supreme "
    "pair.",
    "jjak+ten-rounds every-hand": "the player whose turn it is may take the last discard without a pair and discard "
    "it again, so two players can pass a tile back and forth for ever.",
    "jjak+ten-rounds six-six-is-not-last": "these rules do not restrict 6-6.",
    "jjak+ten-rounds payments-add-up": "if nobody wins, each player scores for the pairs laid, and nobody pays.",
    "jjak+reserve-win drawn-with-two": "nobody wins with a claimed tile, so fewer hands are won.",
    "jjak+reserve-win drawn-with-three": "nobody wins with a claimed tile, so fewer hands are won.",
    "jjak+reserve-win drawn-with-four": "nobody wins with a claimed tile, so fewer hands are won.",
    "jjak+relaxed drawn-with-three": "more players may claim, so more hands are won.",
    "jjak+relaxed drawn-with-four": "more players may claim, so more hands are won.",
    "ho-hpai twice": "two han-hpai count 1, and every better hand counts at least 3.",
    "ho-hpai every-hand": "the row keeps its length, and the same pieces can go into it and come back for ever.",
    "ho-hpai+nearest-end each-sees-his-own-pieces": "if players put at different ends, one takes what another "
    "has just put there.",
    "ho-hpai+withdraw-single won-by-three": "the row is longer, and pieces travel from one player to another.",
    "ho-hpai+may-pass won-by-three": "by chance, most players who hold a winning hand exchange it away.",
    "ho-hpai+may-pass won-by-four": "by chance, most players who hold a winning hand exchange it away.",
    "ho-hpai+nearest-end won-by-three": "pieces travel from one player to another, so fewer deals are hopeless.",
    "ho-hpai+nearest-end won-by-four": "pieces travel from one player to another, so fewer deals are hopeless.",
    "ho-hpai+a-ki-as-printed a-ki-with-itself": "there is only one 3-2, so a-ki as printed cannot be held twice.",
    "ho-hpai+counts-add once": "two han-hpai count 2 here, and every better hand counts more.",
    "three-dozen two-forced-pairs": "with consecutive doubles, 0-0 pairs with 1-1 too, and 6-6 with 5-5.",
    "three-dozen others-have-two-or-three-mates": "1-1 has four mates: 6-4 and 5-5 make a dozen with it, 0-0 and "
    "2-2 are the doubles next to it.",
    "three-dozen ends-have-to-pair": "0-0 also pairs with 1-1, the double next to it.",
    "three-dozen every-hand": "the discards are reshuffled into the boneyard, so a hand that nobody wins can go on "
    "for ever.",
    "korean-mahjong+four-as-two-pairs all-terminals-cannot-be": "there are four kinds of terminals, and seven "
    "pairs of them need some kind twice.",
    "korean-mahjong+premium-each seventy-at-most": "a pung has two more tiles of the kind of the winning tile, and "
    "each counts.",
    "korean-mahjong+any-win-suffices ready-may-lack-points": "a win on a drawn tile gives every concealed hand "
    "two points, and here that is enough for ready.",
    "korean-mahjong+plum-by-flower seventy-at-most": "nine gates, dealt and won on 5p as the replacement of a flower, "
    "count 71.",
    "korean-mahjong+man-whole-round seventy-at-most": "a player who declared with the first discard may still win by a "
    "blessing of man.",
    "korean-mahjong+no-implied seventy": "the hand of 70 loses the patterns that its other patterns bring along.",
    "gin-rummy every-hand": "both players may take the other's discard in each turn, so the stock need not get "
    "smaller.",
}

# Why golpae cannot decide whether some event is legal in every position, by game.
UNDECIDED = {
    "go-stop": "a turn can end in so many ways that the prover has no answer in ten minutes",
}
