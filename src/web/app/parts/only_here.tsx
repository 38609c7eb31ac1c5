/**
 * A warning below a link that opens only on this computer.
 *
 * @module
 */
import { isLoopback } from "../connection.ts";
import { words } from "../words.ts";
import { Notice } from "./controls.tsx";

/** The warning; nothing for an address that others can reach. */
export function OnlyHere({ url }: { readonly url: string }) {
  const { connection } = words.value;
  if (!isLoopback(new URL(url).hostname)) return null;
  return (
    <Notice kind="warn">
      {connection.onlyHere}{" "}
      <a href="#/connection" target="_blank">{connection.onlyHereMore}</a>
    </Notice>
  );
}
