/**
 * All share links.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Empty, Notice } from "../../parts/controls.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Icon } from "../../parts/icon.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import type { LinkCard } from "../../../work/sharing_cards.ts";
import { timeText, words } from "../../words.ts";
import { isPast } from "./endings.ts";

/** Number of covers of a link in the list. */
const COVERS = 4;

/** The links, the newest first. */
export function Links() {
  const { sharing } = words.value;
  const { value, error } = useLoaded(
    () => vault().sharing.links(),
    [revision.value],
  );
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (value === undefined) return <div aria-busy="true" />;
  if (value.length === 0) {
    return (
      <Empty icon="link" title={sharing.emptyLinks}>
        <p class="quiet measure">{sharing.emptyLinksHint}</p>
        <a class="button main" href={href("photos")}>{sharing.choose}</a>
      </Empty>
    );
  }
  return (
    <ul class="lines wide">
      {value.map((link) => <Line key={link.opaqueId} link={link} />)}
    </ul>
  );
}

function Line({ link }: { readonly link: LinkCard }) {
  const { sharing } = words.value;
  const { value: contents } = useLoaded(
    () => vault().sharing.contents(link.opaqueId, link.index),
    [link.index],
  );
  const says = [
    ...(contents === undefined ? [] : [sharing.photos(contents.items.length)]),
    sharing.seen(link.views),
    endText(link),
  ];
  return (
    <li>
      <a class="line" href={href("sharing", "link", link.opaqueId)}>
        <span class="covers">
          {(contents?.items ?? []).slice(0, COVERS).map((one) => (
            <Cover key={one.hash} id={one.assetId} icon="photos" />
          ))}
          {contents === undefined && <Cover id={undefined} icon="link" />}
        </span>
        <span class="line-text">
          <span class="card-title">{link.title ?? sharing.untitled}</span>
          <span class="quiet small">{says.join(" · ")}</span>
        </span>
        {link.passphrase && (
          <span title={sharing.behindPassphrase}>
            <Icon name="lock" />
            <span class="unseen">{sharing.behindPassphrase}</span>
          </span>
        )}
        <Icon name="right" />
      </a>
    </li>
  );
}

/** The text that says when a link ends or ended. */
export function endText(
  { expiresAt }: { readonly expiresAt?: string },
): string {
  const { sharing } = words.value;
  if (expiresAt === undefined) return sharing.neverEnds;
  const day = timeText(expiresAt, { dateStyle: "medium" });
  return isPast(expiresAt) ? sharing.endedAt(day) : sharing.endsAt(day);
}
