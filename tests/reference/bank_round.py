"""Checking one round of Bank, event by event."""

from __future__ import annotations

from collections.abc import Sequence

from . import bank_judge as judge
from .bank_report import RoundReport
from .bank_rules import DECK, Action, Rules, legal_moves
from .bank_stream import Event, Stream


def is_cards(cards: object) -> bool:
    """Whether this is a list of cards."""
    return isinstance(cards, (list, tuple)) and all(card in DECK for card in cards)


def same_move(kind: str, cards: Sequence[str], move: Action) -> bool:
    """Whether these are the same move: a quad's lower three may be in any order."""
    if kind != move.kind or cards[-1] != move.cards[-1]:
        return False
    return tuple(cards) == move.cards or (kind == "quad" and set(cards) == set(move.cards))


class RoundCheck:
    """A referee who follows a round on a table of its own and knows what is due at every step."""

    def __init__(self, stream: Stream, rules: Rules, total: list[int], number: int, dealer: int | None) -> None:
        self.stream, self.rules, self.total_before = stream, rules, total
        self.players: int = rules["players"]
        self.seats = list(range(self.players))
        self.read_deal(number, dealer)
        self.bank = [self.opening]
        self.top = self.opening
        self.owner = self.dealer if rules["opening_card"] == "dealer" else None
        self.piles: list[list[str]] = [[] for _ in self.seats]
        self.places_given = 0
        self.seven_laid_by: int | None = None
        self.kings_by: int | None = None
        self.opening_untouched = True
        self.failures_in_a_row = 0
        self.listed: list[Action] = []
        """The legal moves enumerated last."""
        self.report = RoundReport(self.dealer, self.starter, self.players)

    def read_deal(self, number: int, dealer: int | None) -> None:
        """The deal: 36 cards, each once, and the starter they name."""
        says = "rounds are numbered from 1, the next dealer follows from next_dealer"
        known: dict[str, object] = {} if dealer is None else {"dealer": dealer}
        event = self.stream.expect("round", says, round=number, **known)
        self.dealer = self.stream.key(event, "dealer")
        if type(self.dealer) is not int or self.dealer not in self.seats:
            self.stream.refuse("the dealer is a seat")
        hands, stock = self.stream.key(event, "hands"), self.stream.key(event, "stock")
        self.opening = self.stream.key(event, "opening")
        if not isinstance(hands, list) or not all(is_cards(cards) for cards in (*hands, stock, [self.opening])):
            self.stream.refuse("hands are lists of cards, the stock is a list of cards, the opening is a card")
        self.stock: list[str] = list(stock)
        if [len(hand) for hand in hands] != [self.rules["hand_size"]] * self.players:
            self.stream.refuse("hand_size cards go to each seat")
        if sorted([*(card for hand in hands for card in hand), self.opening, *self.stock]) != sorted(DECK):
            self.stream.refuse("hands, opening card and stock are the 36 cards")
        self.hands: list[set[str]] = [set(hand) for hand in hands]
        self.starter = judge.expected_starter(self.rules, self.hands, self.opening, self.dealer)
        if self.stream.key(event, "starter") != self.starter:
            self.stream.refuse(f"the starter is seat {self.starter} (first_move={self.rules['first_move']})")

    def run(self) -> RoundReport:
        """Follow the round to its end."""
        seat = self.starter
        while True:
            self.report.turns += 1
            self.turn(seat)
            if len(self.players_in()) == 1:
                return self.settle("one_left")
            if self.failures_in_a_row == len(self.players_in()):
                return self.settle("blocked")
            seat = (seat + 1) % self.players
            while seat not in self.players_in():
                seat = (seat + 1) % self.players

    def players_in(self) -> list[int]:
        """The seats still holding cards: nobody else is in."""
        return [seat for seat in self.seats if self.hands[seat]]

    def count_cards(self) -> None:
        """36 different cards at every step."""
        everywhere = [*self.stock, *self.bank, *(c for place in (*self.hands, *self.piles) for c in place)]
        if len(everywhere) != 36 or len(set(everywhere)) != 36:
            self.stream.refuse("36 cards at every step")

    def turn(self, seat: int) -> None:
        """Steps 1 to 4 for this seat."""
        if self.seven_laid_by is not None:
            self.seven_laid_by = None
            self.report.hits[seat] += 1
            if self.suffer_seven(seat):
                return
        moves = self.moves(seat)
        if moves:
            self.decide(moves)
            if self.stream.next_kind == "lay":
                self.lay_and_extras(seat, None)
                return
            if self.rules["must_play"] == "yes":
                self.stream.refuse_next(f"seat {seat} has a legal move and must lay: {moves[:4]}")
        self.step_three(seat, by_choice=bool(moves))

    def suffer_seven(self, seat: int) -> bool:
        """Step 1: what the seven before does to this seat, and whether the turn is over."""
        rule = self.rules["seven"]
        if rule in ("draw_skip", "draw_play") and self.stock:
            self.draw(seat, "seven", by_choice=False)
        if rule not in ("skip", "draw_skip"):
            return False
        self.stream.expect("skip", f"seven={rule}: the seven takes the turn", seat=seat)
        self.report.skips += 1
        return True

    def step_three(self, seat: int, *, by_choice: bool) -> None:
        """Draw, lay with the drawn card or fail."""
        if self.stock:
            card = self.draw(seat, "turn", by_choice=by_choice)
            moves = [move for move in self.moves(seat) if card in move.cards]
            if moves and self.may_lay(seat, moves):
                self.lay_and_extras(seat, card)
                return
        elif by_choice:
            self.decline(seat)
        self.fail(seat)

    def may_lay(self, seat: int, moves: list[Action]) -> bool:
        """A decision after a draw or about an extra move: True when laid, False when declined."""
        self.decide(moves)
        if self.rules["must_play"] == "no" and self.stream.next_kind == "decline":
            self.decline(seat)
            return False
        if self.stream.next_kind != "lay":
            self.stream.refuse_next(f"seat {seat} has a legal move and must lay: {moves[:4]}")
        return True

    def lay_and_extras(self, seat: int, drawn: str | None) -> None:
        """A move and the extra moves that follow it."""
        kind = self.lay(seat, drawn, extra=False)
        while self.hands[seat] and judge.extra_is_owed(kind, self.top):
            moves, drawn = self.moves(seat), None
            if not moves and self.rules["extra_move"] == "draw" and self.stock:
                drawn = self.draw(seat, "extra", by_choice=False)
                moves = self.moves(seat)
            if not moves or not self.may_lay(seat, moves):
                break
            kind = self.lay(seat, drawn, extra=True)
        if self.top[0] == "7":
            self.seven_laid_by = seat

    def moves(self, seat: int) -> list[Action]:
        """The legal moves of this seat on the top card, enumerated."""
        self.listed = legal_moves(self.rules, seat, sorted(self.hands[seat]), self.top)
        return self.listed

    def decide(self, moves: list[Action]) -> None:
        """Count a decision between these moves, and passing where it is allowed."""
        self.report.decide(len(moves) + (self.rules["must_play"] == "no"))

    def draw(self, seat: int, why: str, *, by_choice: bool) -> str:
        """The front card of the stock goes to this seat's hand."""
        says = "the stock is drawn from the front"
        event = self.stream.expect("draw", says, seat=seat, card=self.stock[0], why=why)
        if event.get("choice", False) is not by_choice:
            self.stream.refuse(f"choice must be {by_choice}: a draw by choice, with a legal move in hand, says so")
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        self.count_cards()
        self.report.draws[why] += 1
        self.report.choice_draws += by_choice
        return card

    def decline(self, seat: int) -> None:
        """A move that could be made is given up."""
        self.stream.expect("decline", "must_play=no: a move may be declined", seat=seat)
        self.report.declines += 1

    def lay(self, seat: int, drawn: str | None, *, extra: bool) -> str:
        """One move with its consequences; its kind."""
        event = self.stream.expect("lay", "a move", seat=seat, extra=extra)
        kind, cards = self.stream.key(event, "kind"), self.stream.key(event, "cards")
        self.judge_move(seat, kind, cards, drawn)
        self.hands[seat] -= set(cards)
        self.bank += cards
        self.top, self.owner = cards[-1], seat
        self.failures_in_a_row, self.opening_untouched = 0, False
        self.report.moves += 1
        self.report.cards_laid += len(cards)
        self.count_cards()
        self.cover_kings(seat)
        if kind == "quad" and self.top[0] == "K":
            self.kings_by = seat
        if not self.hands[seat]:
            self.go_out(seat, event)
        return str(kind)

    def judge_move(self, seat: int, kind: object, cards: object, drawn: str | None) -> None:
        """Refuse an illegal move."""
        wrong = judge.wrong_move(self.rules, seat, self.hands[seat], self.top, kind, cards)
        if wrong:
            self.stream.refuse(wrong)
        assert isinstance(cards, (list, tuple))
        if drawn is not None and drawn not in cards:
            self.stream.refuse(f"the move must use the drawn card {drawn}")
        if not any(same_move(str(kind), cards, move) for move in self.listed):
            raise AssertionError(f"judged legal, but not enumerated: {kind} {cards} of {self.listed}")

    def cover_kings(self, seat: int) -> None:
        """The very next move laid on four kings takes the bank; see `kings_cover` for their layer's own."""
        layer, self.kings_by = self.kings_by, None
        if layer is not None and (seat != layer or self.rules["kings_cover"] == "anyone"):
            self.capture(seat, "kings")

    def go_out(self, seat: int, move: Event) -> None:
        """The hand is empty after the move."""
        self.places_given += 1
        bonus = judge.expected_bonus(self.places_given, move["kind"], move["cards"])
        says = f"an empty hand goes out, in place {self.places_given}"
        self.stream.expect("out", says, seat=seat, place=self.places_given, bonus=bonus)
        self.report.places[seat] = self.places_given
        self.report.bonus[seat] += sum(bonus.values())
        self.report.out_with[seat].update(why for why in ("king", "quad", "run") if bonus[why])
        if judge.trump_king(self.rules, seat, self.top):
            self.capture(seat, "trump_king")

    def fail(self, seat: int) -> None:
        """Step 4: the owner of the top card may take the bank."""
        self.stream.expect("fail", f"seat {seat} laid nothing and fails", seat=seat)
        self.report.fails += 1
        others = self.owner is not None and self.owner != seat
        if others and (len(self.bank) > 1 or self.opening_untouched) and self.owner is not None:
            self.capture(self.owner, "failed")
            self.opening_untouched = False
        if not self.stock:
            self.failures_in_a_row += 1

    def capture(self, seat: int, why: str) -> None:
        """The whole bank goes to this seat."""
        if not self.bank:
            return
        says = f"seat {seat} takes the whole bank, oldest first ({why})"
        self.stream.expect("capture", says, seat=seat, cards=list(self.bank), why=why)
        self.piles[seat] += self.bank
        self.bank.clear()
        self.kings_by = None
        self.report.captures[why] += 1
        self.report.captures_when_out += self.report.places[seat] > 0
        self.count_cards()

    def settle(self, why: str) -> RoundReport:
        """The end of the round: the bank that still lies there, and the scores."""
        if self.rules["final_bank"] == "last_cover" and self.owner is not None:
            self.capture(self.owner, "final")
        report = self.report
        report.why = why
        report.captured = [judge.worth(pile) for pile in self.piles]
        report.penalty = judge.expected_penalties(self.rules, self.hands, self.dealer)
        report.score = [report.captured[s] + report.bonus[s] - report.penalty[s] for s in self.seats]
        report.total = [self.total_before[s] + report.score[s] for s in self.seats]
        lists = {name: getattr(report, name) for name in ("captured", "bonus", "penalty", "score", "total")}
        self.stream.expect("round_end", "score = captured + bonuses - penalty", why=why, **lists)
        return report
