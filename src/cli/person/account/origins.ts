/**
 * `strongroom origin`: the address under which links with secrets stand.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { OriginRefused } from "../../../library/mod.ts";
import type { CliContext } from "../cli_context.ts";

/** What to say of an address that only the server names. */
export function suggestion(origin: string): string {
  return `the server says that others reach it at ${origin}: if you know that ` +
    `this is your server, run \`strongroom origin confirm ${origin}\``;
}

/** Shows the address of links. */
export async function showOrigin(cli: CliContext): Promise<void> {
  const { origins } = cli.library;
  await origins.read();
  const suggested = await origins.suggested();
  cli.tell(
    {
      event: "origin",
      links: origins.links,
      opened: origins.opened,
      confirmed: origins.confirmed,
      suggested,
    },
    [
      `links begin with ${origins.links}, ` + (
        origins.confirmed === undefined
          ? "where you signed in"
          : "which you confirmed"
      ),
      ...(suggested === undefined ? [] : [suggestion(suggested)]),
    ].join("\n"),
  );
}

/** Makes an address the one of links, on every device of the account. */
export async function confirmOrigin(
  { library: { origins }, tell }: CliContext,
  given: string,
): Promise<void> {
  try {
    await origins.confirm(given);
  } catch (error) {
    if (!(error instanceof OriginRefused)) throw error;
    throw new OperatorFault(error.message);
  }
  tell(
    { event: "origin_confirmed", links: origins.links },
    `links begin with ${origins.links} from now on`,
  );
}
