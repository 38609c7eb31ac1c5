/**
 * Accounts for the tests of `strongroom account`.
 *
 * @module
 */
import { type Beside } from "./operator_commands.ts";
import { PASSWORD } from "./people.ts";

/** Signs in with a password. */
export function login(
  { send }: Beside,
  address: string,
  password: string = PASSWORD,
): Promise<Response> {
  return send("POST", "/v1/auth/login", { json: { address, password } });
}
