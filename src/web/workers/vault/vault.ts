/**
 * The vault's thread, the only part of the app that knows keys. There is one
 * for all tabs, or one for each tab if the browser cannot share threads.
 *
 * @module
 */
import { type Tell, VaultContext } from "./context.ts";
import { meetOtherVaults } from "./presence.ts";
import type { PeopleBook } from "../library/people_calls.ts";
import { sessionCalls } from "./session_calls.ts";
import { photoCalls } from "../library/photo_calls.ts";
import {
  type CallMessage,
  faultOf,
  later,
  type Line,
  serveLine,
} from "../../../client/stream/threads/thread_messages.ts";
import { statusOf } from "../../browser.ts";
import { UNKNOWN_PASS, VOUCHED } from "./page_passes.ts";

/** All functions that pages can call. */
export type VaultGroups = ReturnType<typeof groupsOf> & {
  readonly page: ReturnType<typeof pageCalls>;
};

function groupsOf(context: VaultContext) {
  let book: PeopleBook | undefined;
  const people = async () => {
    const { peopleBook, peopleCalls } = await import(
      "../library/people_calls.ts"
    );
    book ??= peopleBook(context);
    return { book, calls: peopleCalls(context, book) };
  };
  return {
    session: sessionCalls(context),
    photos: photoCalls(context, async () => (await people()).book),
    viewing: later(async () =>
      (await import("../media/viewing_calls.ts")).viewingCalls(context)
    ),
    saving: later(async () =>
      (await import("../media/saving_calls.ts")).savingCalls(context)
    ),
    uploads: later(async () =>
      (await import("../library/upload_calls.ts")).uploadCalls(context)
    ),
    imports: later(async () =>
      (await import("../library/import_calls.ts")).importCalls(context)
    ),
    albums: later(async () => {
      const [{ albumCalls }, { invitationCalls }, { book }] = await Promise.all(
        [
          import("../library/albums/album_calls.ts"),
          import("../library/albums/invitation_calls.ts"),
          people(),
        ],
      );
      return {
        ...albumCalls(context, book),
        ...invitationCalls(context, book),
      };
    }),
    filling: later(async () =>
      (await import("../library/filling_calls.ts")).fillingCalls(context)
    ),
    remarks: later(async () => {
      const [{ remarkCalls }, { book }] = await Promise.all([
        import("../library/remarks/remark_calls.ts"),
        people(),
      ]);
      return remarkCalls(context, book);
    }),
    people: later(async () => (await people()).calls),
    abroad: later(async () =>
      (await import("../abroad/abroad_calls.ts")).abroadCalls(context)
    ),
    collections: later(async () =>
      (await import("../library/collection_calls.ts")).collectionCalls(context)
    ),
    sharing: later(async () =>
      (await import("../library/sharing/sharing_calls.ts")).sharingCalls(
        context,
      )
    ),
    safety: later(async () =>
      (await import("../library/safety_calls.ts")).safetyCalls(context)
    ),
    logs: later(async () =>
      (await import("../library/log_calls.ts")).logCalls(context)
    ),
    settings: later(async () =>
      (await import("./settings_calls.ts")).settingsCalls(context)
    ),
    editing: later(async () =>
      (await import("../library/editing_calls.ts")).editingCalls(context)
    ),
    memories: later(async () =>
      (await import("../finding/memory_calls.ts")).memoryCalls(context)
    ),
    faces: later(async () =>
      (await import("../finding/face_calls.ts")).faceCalls(context)
    ),
    similar: later(async () =>
      (await import("../finding/similar_calls.ts")).similarCalls(context)
    ),
    pictureText: later(async () =>
      (await import("../finding/picture_text_calls.ts")).pictureTextCalls(
        context,
      )
    ),
    things: later(async () =>
      (await import("../finding/things_calls.ts")).thingsCalls(context)
    ),
    places: later(async () =>
      (await import("../finding/place_calls.ts")).placeCalls(context)
    ),
    operator: later(async () =>
      (await import("./operating.ts")).operating(context)
    ),
  };
}

/** The connections of the app's pages. */
const lines = new Set<Line>();
/** Those not known to be of the app: any document of the origin can connect. */
const strangers = new Set<Line>();
/** Events that are repeated to a page that connects later. */
const LASTING = new Set<string>([
  "alarms",
  "escrow",
  "stillShown",
  "sync",
  "unsent",
]);
const lasting = new Map<string, unknown>();
const tell: Tell = (event, data) => {
  if (LASTING.has(event)) lasting.set(event, data);
  // The earlier events may be about another person.
  if (event === "sessionState") lasting.clear();
  send(lines, event, data);
};
function send(to: Iterable<Line>, event: string, data: unknown): void {
  for (const line of to) line.postMessage({ event, data }, []);
}
const context = new VaultContext(
  tell,
  (why) => others.leave(why),
  () => others.hiddenClosed(),
);
const others = meetOtherVaults(self.location.href, async (why) => {
  context.closing.abort();
  tell("closing", { why });
  send(strangers, "closing", { why });
  await context.session?.settled().catch(() => {});
  self.close();
}, () => context.hidden?.lock.close());
const groups = groupsOf(context);
/**
 * Calls that are answered from the newest photos while the library is being
 * opened.
 */
const FRONT_CALLS = new Set(["photos.list", "photos.thumbnails"]);

/** The calls that are answered before a connection is known to be the app's. */
function pageCalls(welcome: () => void) {
  return {
    /** Shows that the connection is the app's; false if it cannot be known. */
    async vouch(pass: string): Promise<boolean> {
      const isVouched = await isVouchedFor(pass);
      if (isVouched) welcome();
      return isVouched;
    },
  };
}

/** What a call of the app has to wait for. */
function held({ group, name }: CallMessage): Promise<void> | undefined {
  const early = group === "session" || FRONT_CALLS.has(`${group}.${name}`);
  return early || context.firstScreen === undefined
    ? undefined
    : context.opening;
}

function join(line: Line): void {
  strangers.add(line);
  const welcomed = Promise.withResolvers<void>();
  const page = pageCalls(() => {
    if (!strangers.delete(line)) return;
    lines.add(line);
    for (const [event, data] of lasting) send([line], event, data);
    welcomed.resolve();
  });
  serveLine(line, { ...groups, page }, ({ code }) => {
    if (code === "error.auth.session_token_invalid") context.sessionEnded();
  }, (call) => {
    if (lines.has(line)) return held(call);
    return call.group === "page"
      ? undefined
      : welcomed.promise.then(() => held(call));
  });
}

declare const self:
  & {
    onconnect: ((event: MessageEvent) => void) | null | undefined;
    readonly location: Location;
    close(): void;
  }
  & Line
  & EventTarget;

if ("onconnect" in self) {
  self.onconnect = ({ ports: [port] }) => {
    if (port === undefined) return;
    join(port);
    port.start();
  };
} else join(self);

self.addEventListener("unhandledrejection", (event: Event) => {
  const reason = "reason" in event ? event.reason : undefined;
  send(lines, "fault", faultOf(reason));
});

/**
 * Whether a page of the app gave that pass, and not another document of the
 * origin, such as a Blob that someone opens in a tab. A page gives a random
 * pass to the service worker, which takes it only from the app's page. The page
 * then gives the pass to the vault, and the vault asks the service worker.
 *
 * True too if there is no service worker, as on plain http and at the first
 * visit: the server then answers as for any unknown address. False if nothing
 * answers, so that no one gets in by making the request fail.
 */
async function isVouchedFor(pass: string): Promise<boolean> {
  try {
    return await statusOf(`${VOUCHED}?${pass}`) !== UNKNOWN_PASS;
  } catch {
    return false;
  }
}
