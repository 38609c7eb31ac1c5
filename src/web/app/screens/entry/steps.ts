/**
 * The number of steps of sign-up.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";

/**
 * The steps are the password, the words, their check and a phrase; on plain
 * http also the browser.
 */
export function signUpSteps(): number {
  return ownConnection() === "safe" ? 4 : 5;
}
