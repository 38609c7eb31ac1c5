/**
 * `strongroom save`: what a link shows becomes one's own.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { counted } from "../../../core/sizes.ts";
import { parseShareLink } from "../../../client/documents/share.ts";
import { saveShared } from "../../../library/sharing/saving_shared.ts";
import { printable } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { STATUS } from "../faults.ts";
import { catchUp } from "../following.ts";

/** Saves all that a link of the same server shows, and tells of each file. */
export async function saveLink(
  cli: CliContext,
  given: string,
  { passphraseFile }: { readonly passphraseFile?: string },
): Promise<void> {
  const { library, signal, tell, warn, terminal } = cli;
  const link = parseShareLink(given.trim());
  if (link?.secret === undefined) {
    throw new OperatorFault("that is no whole link to photos");
  }
  const { opened, links } = library.origins;
  if (link.origin !== opened && link.origin !== links) {
    throw new OperatorFault("the link is of another server than your account");
  }
  const passphrase = passphraseFile === undefined
    ? undefined
    : await terminal.lineOf(passphraseFile, "the passphrase");
  await catchUp(cli);
  const done = await saveShared(
    library,
    passphrase === undefined ? link : { ...link, passphrase },
    {
      signal,
      onFile(name, outcome) {
        tell(
          { event: "saved", name, outcome },
          outcome === "kept" ? `saved ${printable(name)}` : "",
        );
        if (outcome === "failed") {
          warn(`cannot be saved: ${printable(name)}`);
        }
      },
    },
  );
  const status = done.failed > 0 ? STATUS.someFailed : 0;
  tell(
    { event: "end", status, ...done },
    [
      `${counted(done.kept, "file")} saved to your library`,
      ...done.known > 0 ? [`${counted(done.known, "file")} known`] : [],
      ...done.failed > 0 ? [`${counted(done.failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) cli.endWith(status);
}
