/**
 * The banner that warns of others on the network while the page is used over
 * plain http.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";
import { Icon } from "../../parts/icon.tsx";
import { firstMessages } from "../../first_messages.ts";
import { wouldForget } from "./forgetting.ts";

/**
 * A permanent banner on plain http; empty otherwise. Outside the main part of a
 * page it is a landmark of its own. `keep` makes a browser that forgets the
 * account keep it.
 */
export function InsecureBanner(
  { inside = false, keep }: {
    readonly inside?: boolean;
    readonly keep?: () => void;
  },
) {
  const { shell } = firstMessages.value;
  if (ownConnection() === "safe") return null;
  const Part = inside ? "div" : "header";
  return (
    <Part class="banner warn insecure">
      <Icon name="warning" />
      <span>
        {shell.insecure}
        {inside
          ? <span class="wide-only">{shell.insecureWhy}</span>
          : shell.insecureWhy} <a href="#/connection">{shell.insecureMore}</a>
        {keep !== undefined && wouldForget() && (
          <>
            <br />
            {shell.forgets}{" "}
            <button type="button" class="link" onClick={keep}>
              {shell.forgetsAct}
            </button>
          </>
        )}
      </span>
    </Part>
  );
}
