/**
 * What whoever is on the network can do, for as long as the page came over plain
 * http.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";
import { Icon } from "../../parts/icon.tsx";
import { words } from "../../words.ts";

/** A lasting banner on plain http; nothing elsewhere. */
export function InsecureBanner() {
  const { frame } = words.value;
  if (ownConnection() === "safe") return null;
  return (
    <p class="banner warn insecure">
      <Icon name="warning" />
      <span>
        {frame.insecure} <a href="#/connection">{frame.insecureMore}</a>
      </span>
    </p>
  );
}
