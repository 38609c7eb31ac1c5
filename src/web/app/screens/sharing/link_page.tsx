/**
 * One share link: handing it out again, its contents, changing and ending it.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Button, Empty, Notice } from "../../parts/controls.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { goInstead, href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import type {
  LinkCard,
  LinkContents,
} from "../../../workers/library/sharing/sharing_cards.ts";
import { messages, timeText } from "../../messages.ts";
import { pickPhotos } from "../albums/picker.tsx";
import { LibraryDoubt } from "../settings/library_doubt.tsx";
import { ChangeLink } from "./change_link.tsx";
import { isPast } from "./endings.ts";
import { LinkOut } from "./link_out.tsx";
import { endText } from "./links.tsx";

/** The view at `#/sharing/link/<id>`. */
export function LinkPage({ id }: { readonly id: string }) {
  const { sharing } = messages.value;
  const { value, here, error, again } = useLoaded(async () => {
    const links = await vault().sharing.links();
    const link = links.find(({ opaqueId }) => opaqueId === id);
    if (link === undefined) return undefined;
    return {
      link,
      contents: await vault().sharing.contents(id, link.index),
    };
  }, [id, revision.value]);
  if (error !== undefined && value === undefined) {
    return <Notice>{faultText(error)}</Notice>;
  }
  if (!here) return <div aria-busy="true" />;
  if (value === undefined) {
    return (
      <Empty icon="link" title={sharing.gone}>
        <a class="button" href={href("sharing")}>{sharing.title}</a>
      </Empty>
    );
  }
  return <Shown {...value} onChanged={again} />;
}

function Shown(
  { link, contents, onChanged }: {
    readonly link: LinkCard;
    readonly contents: LinkContents | undefined;
    readonly onChanged: () => void;
  },
) {
  const { pictureFrame, sharing } = messages.value;
  const title = contents?.title || link.title || sharing.untitled;
  const follows = link.frame || link.living === true;
  const medium = { dateStyle: "medium" } as const;
  const facts = [
    sharing.seen({ n: link.views }),
    ...(link.lastViewedAt === undefined
      ? []
      : [sharing.lastSeen({ when: timeText(link.lastViewedAt, medium) })]),
    sharing.madeAt({ when: timeText(link.createdAt, medium) }),
    endText(link),
    ...(link.passphrase ? [sharing.behindPassphrase] : []),
  ];
  const end = () =>
    confirm({
      title: sharing.endTitle,
      text: sharing.endText,
      action: sharing.end,
      act: async () => {
        await vault().sharing.end(link.opaqueId);
        goInstead(href("sharing"));
        toast(sharing.ended);
      },
    });
  const change = (shown: LinkContents) =>
    overlay((close) => (
      <ChangeLink
        link={link}
        contents={shown}
        onEnd={(changed) => {
          close();
          if (changed) onChanged();
        }}
      />
    ));
  return (
    <div class="view narrow">
      <header class="album-head">
        <a class="back" href={href("sharing")}>
          <Icon name="back" /> {sharing.title}
        </a>
        <h1>{title}</h1>
        {contents?.message && <p class="measure said">{contents.message}</p>}
        <p class="quiet">{facts.join(" · ")}</p>
        {link.frame && <p class="quiet">{pictureFrame.follows}</p>}
        {link.living && <p class="quiet">{sharing.follows}</p>}
        {link.views > 0 && <p class="quiet small">{sharing.seenHint}</p>}
      </header>
      {follows && <LibraryDoubt />}
      {link.url !== undefined && !isPast(link.expiresAt) && (
        <LinkOut url={link.url} title={title} />
      )}
      {contents === undefined && (
        <Notice kind="info">{sharing.unknownKey}</Notice>
      )}
      <div class="actions">
        {contents !== undefined && (
          <Button
            icon="edit"
            onClick={() => change(contents)}
          >
            {sharing.change}
          </Button>
        )}
        <Button icon="close" kind="danger" onClick={end}>{sharing.end}</Button>
      </div>
      {contents !== undefined && (
        <Contents link={link} contents={contents} onChanged={onChanged} />
      )}
    </div>
  );
}

function Contents(
  { link, contents, onChanged }: {
    readonly link: LinkCard;
    readonly contents: LinkContents;
    readonly onChanged: () => void;
  },
) {
  const { sharing } = messages.value;
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { opaqueId } = link;
  const follows = link.frame || link.living === true;
  const takeOut = async (hash: string) => {
    setFault(undefined);
    if (contents.count === 1) return setFault(sharing.lastOne);
    setBusy(true);
    try {
      await vault().sharing.change(opaqueId, { remove: [hash] });
      onChanged();
      toast(sharing.changed);
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  const add = () =>
    pickPhotos(async (ids, noun) => {
      const able = await vault().sharing.shareable(ids);
      await vault().sharing.change(opaqueId, {
        add: able.ids,
        withPlaces: false,
        films: contents.films,
      });
      onChanged();
      const smaller = able.copies + able.stills;
      toast(
        able.leftOut > 0
          ? sharing.leftOut({ n: able.leftOut, noun })
          : smaller > 0
          ? sharing.addedSmaller({ n: smaller, noun })
          : sharing.changed,
      );
    });
  return (
    <section class="stack">
      <div class="view-head">
        <h2>
          {sharing.contents} ·{" "}
          {sharing.photos({ n: contents.count, noun: contents.noun })}
        </h2>
        {!follows && (
          <Button icon="add" onClick={add}>{sharing.addPhotos}</Button>
        )}
      </div>
      {contents.items.length < contents.count && (
        <p class="quiet">{sharing.contentsLocked}</p>
      )}
      {fault !== undefined && <Notice kind="warn">{fault}</Notice>}
      <ul class="picker" aria-busy={busy}>
        {contents.items.map(({ hash, name, assetId }) => (
          <li key={hash} class="pick" title={name}>
            <Cover id={assetId} icon="photos" />
            <span class="unseen">{name}</span>
            {!follows && (
              <button
                type="button"
                class="pick-out"
                aria-label={`${sharing.takeOut}: ${name}`}
                title={sharing.takeOut}
                disabled={busy}
                onClick={() => takeOut(hash)}
              >
                <Icon name="close" size={16} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
