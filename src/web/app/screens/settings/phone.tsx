/**
 * The settings page `phone`: what comes from a person's phone by itself and
 * what does not, what came, and how to let photos come.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { now } from "../../../browser.ts";
import { DAY_MS, readTime } from "../../../../core/time.ts";
import type {
  PhoneState,
  RequestCard,
} from "../../../workers/library/sharing/sharing_cards.ts";
import { install } from "../../install.ts";
import { useLoaded } from "../../loaded.ts";
import { Options } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { href } from "../../routes.ts";
import { chooseFiles } from "../../upload/adding.tsx";
import { revision, vault } from "../../vault.ts";
import { guestFilesCount } from "../../guest_files_count.ts";
import { dayText, messages, timeText } from "../../messages.ts";
import { endOf, isPast } from "../sharing/endings.ts";
import { LinkOut } from "../sharing/link_out.tsx";
import { Group, Waiting } from "./parts.tsx";
import { DoorAddress, Uploaders } from "./phone_apps.tsx";
import { FromFolder } from "./phone_folder.tsx";

/** One that ends sooner is to be renewed (ms). */
const SOON_MS = 14 * DAY_MS;
const MOST_FILES = 100_000;
const MOST_BYTES = 500 * 1024 ** 3;

type System = "ios" | "android" | "desk";

/** What this browser runs on; an iPad calls itself a Mac that is touched. */
function systemOf(): System {
  const { userAgent, maxTouchPoints } = navigator;
  if (/Android/.test(userAgent)) return "android";
  const isTouchedMac = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  return /iPhone|iPad/.test(userAgent) || isTouchedMac ? "ios" : "desk";
}

/** The page `phone`. */
export function YourPhone() {
  const loaded = useLoaded(
    () => vault().sharing.phone(),
    [revision.value, guestFilesCount.value],
  );
  const state = loaded.value;
  if (state === undefined) return <Waiting loaded={loaded} />;
  return (
    <>
      {systemOf() !== "desk" && <ByHand />}
      {state.links.length > 0 && <Came {...state} />}
      <Truth />
      <FromFolder />
      <SetUp links={state.links} onMade={loaded.again} />
    </>
  );
}

/** On the phone itself: its photos are one press away. */
function ByHand() {
  const { photos } = messages.value;
  return (
    <div class="actions start">
      <Button kind="main" icon="add" onClick={() => chooseFiles("files")}>
        {photos.choose}
      </Button>
      {install.value !== undefined && (
        <Button icon="device" onClick={install.value}>
          {messages.value.phone.install}
        </Button>
      )}
    </div>
  );
}

/** What came, what waits, and the links by which it comes. */
function Came({ links, waits, oldest, last, silent }: PhoneState) {
  const { phone } = messages.value;
  const nameOf = ({ note }: RequestCard) =>
    note ?? messages.value.sharing.untitledRequest;
  const isEnding = links.every(({ expiresAt }) =>
    (readTime(expiresAt) ?? 0) - now() < SOON_MS
  );
  return (
    <Group title={phone.came}>
      <p>
        {last === undefined
          ? phone.lastNone
          : phone.last({ when: timeText(last) })}
      </p>
      <p>
        {oldest === undefined
          ? phone.waitsNone
          : phone.waits({ n: waits, since: timeText(oldest) })}
      </p>
      <ul class="bullets">
        {links.map((link) => {
          const { opaqueId, filesUsed, expiresAt, lastReceivedAt } = link;
          return (
            <li key={opaqueId}>
              <a href={href("sharing", "request", opaqueId)}>{nameOf(link)}</a>
              <span class="quiet small">
                {": "}
                {phone.inAll({ n: filesUsed })},{" "}
                {lastReceivedAt !== undefined &&
                  `${phone.lastSent({ day: dayText(lastReceivedAt) })}, `}
                {(isPast(expiresAt) ? phone.ended : phone.ends)({
                  day: dayText(expiresAt),
                })}
              </span>
            </li>
          );
        })}
      </ul>
      {links.filter(({ opaqueId }) => silent.includes(opaqueId)).map((link) => (
        <Notice key={link.opaqueId} kind="warn">
          {phone.silent({
            names: nameOf(link),
            day: dayText(link.lastReceivedAt ?? ""),
          })} <code>strongroom receive status</code>
        </Notice>
      ))}
      {isEnding && (
        <Notice kind="warn">
          {phone.renew} <code>strongroom receive link NAME --to LINK</code>
        </Notice>
      )}
    </Group>
  );
}

/** What comes by itself on each system, this one's first. */
function Truth() {
  const { phone } = messages.value;
  const own = systemOf();
  const systems: readonly System[] = ["ios", "android", "desk"];
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  return (
    <Group title={phone.truth} why={phone.truthWhy}>
      <h4>{phone.systems[own]}</h4>
      <Facts of={own} />
      {isInstalled && <p>{phone.installed}</p>}
      {own === "desk" && install.value !== undefined && (
        <div class="actions start">
          <Button icon="device" onClick={install.value}>{phone.install}</Button>
          <span class="quiet small">{phone.installWhy}</span>
        </div>
      )}
      {systems.filter((one) => one !== own).map((one) => (
        <Options key={one} label={phone.systems[one]}>
          <Facts of={one} />
        </Options>
      ))}
    </Group>
  );
}

function Facts({ of }: { readonly of: System }) {
  const { phone } = messages.value;
  return (
    <div class="reading">
      <ul class="bullets">
        {phone.facts[of].map((one) => <li key={one}>{one}</li>)}
      </ul>
      {of === "desk" && <pre tabIndex={0}><code>{phone.watch}</code></pre>}
    </div>
  );
}

/** How to set `strongroom receive` up. */
function SetUp(
  { links, onMade }: {
    readonly links: readonly RequestCard[];
    readonly onMade: () => void;
  },
) {
  const { phone } = messages.value;
  const doing = useDoing();
  const [made, setMade] = useState<string>();
  const url = made ??
    links.find(({ expiresAt }) => !isPast(expiresAt))?.url;
  const make = () =>
    doing.run(async () => {
      const { url } = await vault().sharing.request({
        note: phone.note,
        expiresAt: endOf("quarter") ?? "",
        maxFiles: MOST_FILES,
        maxBytes: MOST_BYTES,
        mine: true,
      });
      setMade(url);
      onMade();
    });
  return (
    <Group title={phone.set} why={phone.setWhy}>
      <h4>{phone.makeFirst}</h4>
      <p>{phone.makeWhy}</p>
      {url !== undefined && <LinkOut key={url} url={url} title={phone.note} />}
      <Refused doing={doing} />
      <div>
        <Button
          kind={url === undefined ? "main" : "plain"}
          busy={doing.busy}
          onClick={make}
        >
          {url === undefined ? phone.make : phone.again}
        </Button>
      </div>
      <h4>{phone.giveFirst}</h4>
      <p>{phone.giveWhy}</p>
      <Options label={phone.forRunner}>
        <div class="reading">
          <p>{phone.needs}</p>
          <p>{phone.runWhy}</p>
          <pre tabIndex={0}><code>{`strongroom receive --listen 0.0.0.0:8473 \\
  --tls-cert fullchain.pem --tls-key key.pem \\
  --address https://home.example.org:8473`}</code></pre>
          <p>{phone.addWhy}</p>
          <pre
            tabIndex={0}
          ><code>{`strongroom receive add "${phone.note}" --qr \\
  --to '${url ?? "https://…"}'`}</code></pre>
        </div>
      </Options>
      <h4>{phone.enterFirst}</h4>
      <p>{phone.enterWhy}</p>
      <Uploaders />
      <DoorAddress />
      <h4>{phone.afterFirst}</h4>
      <p>{phone.afterWhy}</p>
      <p>{phone.keeps}</p>
    </Group>
  );
}
