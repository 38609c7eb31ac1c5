/**
 * The faces of a library: looked for only if the person wants that, kept in
 * pages of the account's sealed state that all of its devices share, and deleted
 * whole.
 *
 * @module
 */
import {
  type FaceChoices,
  faceChoices,
  type PersonChoice,
  withFaces,
  withNotPerson,
  withPerson,
} from "./faces_choices.ts";
import {
  joined,
  type Means,
  meansOf,
  peopleIn,
  type Person,
  rootOf,
} from "./faces_groups.ts";
import {
  decodeFaces,
  encodeFaces,
  type Face,
  type FaceBox,
  FACES,
  groupBegun,
  keptVector,
  MOST_FACES,
} from "./faces_pages.ts";
import { openFindings } from "./findings.ts";
import { fileOf } from "./findings_pages.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** A face as it was found in a picture. */
export interface FoundFace extends FaceBox {
  /** How sure the model is, 0 to 1. */
  readonly sure: number;
  readonly vector: ArrayLike<number>;
}

/** The faces that were found in a picture. */
export interface LookedAt {
  /** As `pictureHash` makes it, in hex. */
  readonly hash: string;
  readonly faces: readonly FoundFace[];
}

/** The faces of a library. */
export interface Faces {
  readonly choices: FaceChoices;
  /** Whether a file was looked at, by its name in the pages (`fileOf`). */
  has(file: string): boolean;
  /** Files that were looked at. */
  readonly count: number;
  /** Whether the account's pages take no more files. */
  readonly isFull: boolean;
  /** All people, those of most faces first. */
  people(): readonly Person[];
  /** What is said of a person; nothing of one without a name. */
  choiceOf(person: string): PersonChoice;
  /** Fetches what other devices found: all, or what changed in some slots. */
  read(slots?: readonly string[]): Promise<void>;
  /** Keeps what was found on this device, until it is sent. */
  note(looked: readonly LookedAt[]): Promise<void>;
  /** Sends what was noted to the account's other devices. */
  send(): Promise<void>;
  /** Sends it if there is enough of it, or it was not sent for a while. */
  sendDue(): Promise<void>;
  /**
   * Has faces looked for from now on, or no more. Off deletes every face and
   * every name, on all devices.
   */
  turn(isOn: boolean): Promise<void>;
  /** Says something of a person. */
  change(person: string, change: PersonChoice): Promise<void>;
  /** Says that two people are one, who is called as the second is. */
  merge(person: string, into: string): Promise<void>;
  /** Says that faces are not of a person. */
  exclude(faces: readonly string[], person: string): Promise<void>;
}

/** Opens the faces of a vault's account, with this device's copy of them. */
export async function openFaces(
  { vault, store, state }: {
    readonly vault: Vault;
    readonly store: Store;
    readonly state: SharedState;
  },
): Promise<Faces> {
  const { now } = vault.session.platform;
  let said: FaceChoices | undefined;
  let saidIn: unknown;
  const choices = () => {
    const { settings } = state.held;
    if (said === undefined || saidIn !== settings) {
      said = faceChoices(settings);
      saidIn = settings;
    }
    return said;
  };
  const findings = await openFindings({ vault, store }, FACES, choices);
  let known: Known | undefined;
  /** All faces of the present era. */
  const knownNow = (): Known => {
    const { files } = findings;
    if (known?.of === files) return known;
    const faces = [...files]
      .flatMap(([file, bytes]) => decodeFaces(file, bytes));
    return known = { of: files, faces };
  };
  let grouped:
    | {
      readonly of: Known;
      readonly by: FaceChoices;
      readonly people: readonly Person[];
    }
    | undefined;
  const people = () => {
    const [of, by] = [knownNow(), choices()];
    if (grouped === undefined || grouped.of !== of || grouped.by !== by) {
      grouped = { of, by, people: peopleIn(of.faces, by) };
    }
    return grouped.people;
  };
  /** The means of people, to which what is noted here is added. */
  let means: Means | undefined;
  let meansIn: Known | undefined;
  const settings = async (
    change: (held: typeof state.held.settings) => typeof state.held.settings,
  ) => {
    await state.change((held) => ({
      ...held,
      settings: change(held.settings),
    }));
  };
  return {
    get choices() {
      return choices();
    },
    get count() {
      return findings.files.size;
    },
    get isFull() {
      return findings.isFull;
    },
    has: (file) => findings.files.has(file),
    people,
    choiceOf: (person) => choices().persons.get(person) ?? {},
    read: (slots) => findings.read(slots),
    async note(looked) {
      if (!choices().isOn) return;
      const before = knownNow();
      if (means === undefined || meansIn !== before) {
        means = meansOf(people());
      }
      const files: Record<string, Uint8Array> = {};
      for (const { hash, faces } of looked) {
        const file = fileOf(hash);
        if (before.of.has(file)) continue;
        files[file] = encodeFaces(groupedIn(means, hash, faces));
      }
      await findings.note(files);
      meansIn = knownNow();
    },
    send: () => findings.send(),
    sendDue: () => findings.sendDue(),
    async turn(isOn) {
      await settings((held) => withFaces(held, isOn, now()));
      if (!isOn) await findings.clear();
    },
    change: (person, change) =>
      settings((held) => withPerson(held, person, change, now())),
    merge: (person, into) =>
      settings((held) => {
        const said = faceChoices(held);
        const [from, to] = [rootOf(person, said), rootOf(into, said)];
        if (from === to) return held;
        return withPerson(
          // Said of, so that they stay who they are.
          withPerson(held, to, {}, now()),
          from,
          { into: to },
          now(),
        );
      }),
    exclude: (faces, person) =>
      settings((held) =>
        faces.reduce(
          (settings, face) => withNotPerson(settings, face, person, now()),
          withPerson(held, person, {}, now()),
        )
      ),
  };
}

/** All faces, and the files that they are of. */
interface Known {
  readonly of: ReadonlyMap<string, Uint8Array>;
  readonly faces: readonly Face[];
}

/** The faces of a file as they are kept, each with its group. */
function groupedIn(
  means: Means,
  hash: string,
  found: readonly FoundFace[],
): readonly Omit<Face, "id" | "file">[] {
  const largest = found
    .toSorted((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, MOST_FACES);
  return largest.map(({ x, y, width, height, sure, vector }, at) => {
    const kept = keptVector(vector);
    return {
      box: { x, y, width, height },
      sure,
      group: joined(means, kept, groupBegun(hash, at)),
      vector: kept,
    };
  });
}
