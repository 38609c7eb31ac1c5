/**
 * What to know of the address of a link: that it opens only on this computer,
 * or that the server names another one.
 *
 * @module
 */
import { isLoopback } from "../../../core/origin.ts";
import { useLoaded } from "../loaded.ts";
import { href } from "../routes.ts";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { Notice } from "./controls.tsx";

/** The notices; nothing for an address without doubts. */
export function OnlyHere({ url }: { readonly url: string }) {
  const { connection } = messages.value;
  // Without an answer there is nothing to suggest.
  const suggested = useLoaded(
    () => vault().settings.suggestedOrigin().catch(() => undefined),
    [],
  ).value;
  return (
    <>
      {isLoopback(new URL(url).hostname) && (
        <Notice kind="warn">
          {connection.onlyHere}{" "}
          <a href="#/connection" target="_blank">{connection.onlyHereMore}</a>
        </Notice>
      )}
      {suggested !== undefined && (
        <Notice kind="info">
          {connection.otherOrigin({ origin: suggested })}{" "}
          <a href={href("safety")}>{connection.otherOriginMore}</a>
        </Notice>
      )}
    </>
  );
}
