/**
 * What Argon2id costs in tests: guessing is not their subject.
 *
 * @module
 */
export const CHEAP_COST = { memoryKib: 8, passes: 1, lanes: 1 };
