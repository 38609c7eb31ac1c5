/**
 * `state.json`: what one backup leaves to the next that is no part of it.
 * Without the file, the next one examines everything again.
 *
 * @module
 */
import { z } from "zod";
import { type Files, writeDurably } from "../../store/files/files.ts";

/** Receipts that are remembered as damaged. */
export const DAMAGED_MAX = 1_000;

const State = z.strictObject({
  version: z.literal(1),
  /** The backup ended, and left nothing behind that no blob needs. */
  clean: z.boolean(),
  /** The hash after which blobs are read the next time. */
  blobs_after: z.string().regex(/^(?:[0-9a-f]{64})?$/),
  /** The receipt after which receipts are read the next time. */
  receipts_after: z.int().min(0),
  /** Receipts whose bytes were found changed. */
  damaged_receipts: z.array(z.int().min(1)).max(DAMAGED_MAX),
});

export type BackupState = Omit<z.infer<typeof State>, "version">;

/** What is assumed if there is no file to read. */
const NOTHING: BackupState = {
  clean: false,
  blobs_after: "",
  receipts_after: 0,
  damaged_receipts: [],
};

/** Where it is: a plain backup itself, or a directory of the server's. */
interface StatePlace {
  readonly files: Files;
  readonly dir: string;
}

/** The file's name in a backup's directory. */
export const STATE = "state.json";

export function readState({ files, dir }: StatePlace): BackupState {
  try {
    const bytes = files.readWhole(`${dir}/${STATE}`);
    const { version: _, ...state } = State.parse(
      JSON.parse(new TextDecoder().decode(bytes)),
    );
    return state;
  } catch {
    return NOTHING;
  }
}

export async function writeState(
  { files, dir }: StatePlace,
  state: BackupState,
): Promise<void> {
  const text = JSON.stringify({ version: 1, ...state });
  const bytes = new TextEncoder().encode(`${text}\n`);
  await writeDurably(files, `${dir}/${STATE}`, bytes);
}
