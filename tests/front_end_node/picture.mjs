// SPDX-License-Identifier: Apache-2.0
// What players see of the table: a snapshot's state, carried on by the messages.
// Roads and counts are not drawn here.

/** The state after this message. */
export function changed(state, message) {
  const change = CHANGES[message.type];
  if (change === undefined) return state;
  return { ...state, ...change(message.data, state, message) };
}

const BARE_TABLE = {
  player: [], banker: [], player_total: null, banker_total: null, closes_at: null,
};

const CHANGES = {
  table_opened: (data, state) => {
    const opened = state.results.length ? "idle" : "shuffling";
    return { ...data, phase: state.phase === "closed" ? opened : state.phase };
  },
  table_closed: () => ({ phase: "closed", suspended: null }),
  table_suspended: (data, state) => ({
    suspended: data.reason,
    closes_at: null,
    phase: state.phase === "bets_open" ? "dealing" : state.phase,
  }),
  table_resumed: () => ({ suspended: null }),
  dealer_changed: (data) => ({ dealer: data.dealer }),
  shoe_loaded: (data, state, message) => newShoe(state, message.shoe),
  shoe_ended: (data, state) => newShoe(state, null),
  cut_card_seen: (data) => ({ last_coup: data.last_coup }),
  bets_opened: (data, state, message) => ({
    phase: "bets_open", round: message.round, closes_at: data.closes_at,
  }),
  bets_closed: () => ({ phase: "dealing", closes_at: null }),
  card_dealt: (data, state) => {
    const hand = data.position.startsWith("P") ? "player" : "banker";
    return {
      [hand]: [...state[hand], data.card],
      player_total: data.player_total,
      banker_total: data.banker_total,
      cards_out: state.cards_out + 1,
    };
  },
  round_held: () => ({ phase: "held" }),
  round_released: () => ({ phase: "dealing" }),
  round_reconstructed: (data, state) => {
    const { player, banker, player_total, banker_total } = data;
    const more = player.length + banker.length - state.player.length - state.banker.length;
    const cards_out = state.cards_out + Math.max(0, more);
    return { phase: "dealing", player, banker, player_total, banker_total, cards_out };
  },
  result: (data, state, message) => ({
    phase: "result", closes_at: null, results: [...state.results, entry(message, data)],
  }),
  result_amended: (data, state, message) => ({
    results: replaced(state.results, entry(message, data)),
  }),
  round_voided: (data, state, message) => {
    const voided = entry(message, {
      revision: data.revision, outcome: null, player: [], banker: [], player_total: null,
      banker_total: null, natural: false, pairs: { player: false, banker: false }, bets: {},
      amendable_until: null,
    });
    const isUnderWay = state.round === message.round;
    const isListed = state.results.some(({ round }) => round === message.round);
    const results = isUnderWay && !isListed
      ? [...state.results, voided] : replaced(state.results, voided);
    return isUnderWay ? { phase: "result", closes_at: null, results } : { results };
  },
  round_closed: (data, state) => ({
    ...BARE_TABLE,
    phase: "idle",
    round: null,
    last_coup: state.last_coup === null ? null : "this",
    cards_out: state.shoe_mode === "continuous" ? 0 : state.cards_out,
  }),
  manual_mode: (data) => ({ manual_mode: data.on }),
};

const newShoe = (state, shoe) => ({
  shoe,
  phase: state.phase === "closed" ? "closed" : "shuffling",
  cards_out: 0,
  last_coup: null,
  results: [],
});

function entry(message, data) {
  const { revision, outcome, player, banker, player_total, banker_total, natural, pairs, bets,
    amendable_until } = data;
  return { round: message.round, seq: message.seq, revision, outcome, player, banker,
    player_total, banker_total, natural, pairs, bets, amendable_until };
}

const replaced = (results, new_) => results.map((old) => (old.round === new_.round ? new_ : old));
