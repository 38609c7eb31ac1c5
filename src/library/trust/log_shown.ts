/**
 * The directories that the server showed this device for other people, until
 * the next check compares them with the public log (`log_people.ts`).
 *
 * @module
 */
import * as z from "zod/mini";
import { count, hash, utcInstant } from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import type { Store } from "../base/store.ts";

/** A directory that was shown for someone. */
export interface ShownDirectory {
  readonly version: number;
  readonly sha256: string;
  /** When it was first shown. */
  readonly at: string;
  /** It contradicts the log: nothing is sealed to them. */
  readonly frozen?: true | undefined;
  /** The log was read since it was first shown. */
  readonly checked?: true | undefined;
}

const shownSchema = z.record(
  z.string(),
  z.object({
    version: count,
    sha256: hash,
    at: utcInstant,
    frozen: z.optional(z.literal(true)),
    checked: z.optional(z.literal(true)),
  }),
);

/** The directories that the server showed for other people. */
export interface ShownDirectories {
  readonly held: Readonly<Record<string, ShownDirectory>>;
  /** Notes what is shown now; what it was before stays if it is the same. */
  note(
    userId: string,
    shown: Omit<ShownDirectory, "frozen" | "checked">,
  ): Promise<void>;
  put(userId: string, shown: ShownDirectory): Promise<void>;
  /** Reads the keys log, before something is sealed to someone at first. */
  readLog: () => Promise<void>;
}

const SHOWN = "logs/shown";

/** Opens what was shown, over the store of this device. */
export async function openShown(store: Store): Promise<ShownDirectories> {
  const value = await store.get("pins", SHOWN);
  let held: Record<string, ShownDirectory> = {};
  try {
    if (value !== undefined) held = decodeJson(shownSchema, value, "shown");
  } catch {
    // It is noted again when it is shown again.
  }
  const put = async (userId: string, shown: ShownDirectory) => {
    held = { ...held, [userId]: shown };
    const bytes = encodeJson(shownSchema, held, "shown");
    await store.write([{ space: "pins", key: SHOWN, value: bytes }]);
  };
  return {
    get held() {
      return held;
    },
    put,
    readLog: () => Promise.resolve(),
    async note(userId, shown) {
      const before = Object.hasOwn(held, userId) ? held[userId] : undefined;
      if (before?.sha256 === shown.sha256) return;
      await put(userId, shown);
    },
  };
}
