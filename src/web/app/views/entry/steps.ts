/**
 * How many steps signing up has.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";

/** Password, words, three of them, a phrase; on plain http the browser too. */
export function signUpSteps(): number {
  return ownConnection() === "safe" ? 4 : 5;
}
