/**
 * The banner that warns of others on the network while the page is used over
 * plain http.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";
import { Icon } from "../../parts/icon.tsx";
import { words } from "../../words.ts";

/**
 * A permanent banner on plain http; empty otherwise. Outside the main part of a
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
