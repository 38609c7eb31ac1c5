/**
 * What whoever is on the network can do, for as long as the page came over plain
 * http.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";
import { Icon } from "../../parts/icon.tsx";
import { words } from "../../words.ts";

/**
 * A lasting banner on plain http; nothing elsewhere. Above the main part of a
 * page it is a landmark of its own.
 */
export function InsecureBanner({ inside = false }: { inside?: boolean }) {
  const { frame } = words.value;
  if (ownConnection() === "safe") return null;
  const Part = inside ? "div" : "header";
  return (
    <Part class="banner warn insecure">
      <Icon name="warning" />
      <span>
        {frame.insecure} <a href="#/connection">{frame.insecureMore}</a>
      </span>
    </Part>
  );
}
