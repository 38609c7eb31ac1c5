/**
 * `strongroom receive` and its commands.
 *
 * @module
 */
import type { Command } from "commander";
import type { CommandContext } from "../verb.ts";
import type {
  AddOptions,
  LinkOptions,
  ServeOptions,
  SpoolOptions,
} from "./running.ts";

const SPOOL = [
  "--spool <path>",
  "the directory for waiting files and the list of phones; default: " +
  "strongroom-receive in your state directory",
] as const;
const JSON_LINES = ["--json", "print one JSON event per line"] as const;

/** Adds `receive` to the program. */
export function addReceiveCommands(
  program: Command,
  context: CommandContext,
): void {
  const receive = program.command("receive")
    .description("receive photos from phones over WebDAV")
    .option(...SPOOL)
    .option("--listen <place>", "host and port", "127.0.0.1:8473")
    .option("--sftp <place>", "host and port, to take files by SFTP, too")
    .option("--tls-cert <path>", "PEM, for https")
    .option("--tls-key <path>", "PEM, for https")
    .option(
      "--address <url>",
      "the address that phones use, as `receive add` shows it",
    )
    .option(
      "--trusted-proxies <networks>",
      "proxies in front that report the client's address, separated by " +
        "commas",
    )
    .option(
      "--proxy-header <name>",
      "the header that they use: x-forwarded-for or forwarded",
      "x-forwarded-for",
    )
    .option("--max-file <size>", "largest file", "64GiB")
    .option("--max-waiting <size>", "how much encrypted data may wait", "64GiB")
    .option("--keep-free <size>", "free disk space to leave alone", "1GiB")
    .addHelpText(
      "after",
      "\nExample:\n  strongroom receive --listen 0.0.0.0:8473 " +
        "--tls-cert fullchain.pem --tls-key key.pem " +
        "--address https://home.example.org:8473",
    )
    .action(async (options: ServeOptions) => {
      const { serveTelephones } = await import("./running.ts");
      await serveTelephones(options, context);
    });
  receive.command("add <name>")
    .description("add a phone, and show what to enter in its app")
    .requiredOption(
      "--to <link>",
      "the upload link of the account that gets the photos, made by " +
        "`strongroom request --mine`",
    )
    .option(
      "--passphrase-file <path>",
      "a file with the upload link's passphrase, if it has one",
    )
    .option(...SPOOL)
    .option("--qr", "also show it as a QR code")
    .option(...JSON_LINES)
    .addHelpText(
      "after",
      '\nExample:\n  strongroom receive add "Ada\'s phone" ' +
        "--to 'https://photos.example.org/u/…#…' --qr",
    )
    .action(async (name: string, options: AddOptions) => {
      const { addTelephone } = await import("./running.ts");
      await addTelephone(name, options, context);
    });
  receive.command("link <name>")
    .description("encrypt what a phone sends for another upload link")
    .requiredOption("--to <link>", "an upload link of the same person")
    .option(
      "--passphrase-file <path>",
      "a file with the upload link's passphrase, if it has one",
    )
    .option(...SPOOL)
    .option(...JSON_LINES)
    .addHelpText(
      "after",
      "\nExample:\n  strongroom receive link adas-phone " +
        "--to 'https://photos.example.org/u/…#…'",
    )
    .action(async (name: string, options: LinkOptions) => {
      const { relinkTelephone } = await import("./running.ts");
      await relinkTelephone(name, options, context);
    });
  receive.command("safe <name> <file>")
    .description(
      "show a phone which of its files are safely in your library",
    )
    .option(...SPOOL)
    .option(...JSON_LINES)
    .addHelpText(
      "after",
      "\n<file> is the list that `strongroom verify --safe-to-delete` wrote. " +
        "It is\nencrypted for the phone, which then finds SAFE-TO-DELETE.txt " +
        "in its folder.\n\nExample:\n  strongroom receive safe adas-phone " +
        "~/Pictures/SAFE-TO-DELETE.txt",
    )
    .action(async (name: string, file: string, options: SpoolOptions) => {
      const { tellSafe } = await import("./running.ts");
      await tellSafe(name, file, options, context);
    });
  receive.command("ls")
    .description("list the phones")
    .option(...SPOOL)
    .option(...JSON_LINES)
    .addHelpText("after", "\nExample:\n  strongroom receive ls")
    .action(async (options: SpoolOptions) => {
      const { listTelephones } = await import("./running.ts");
      await listTelephones(options, context);
    });
  receive.command("rm <name>")
    .description("remove a phone's password; what it sent is still delivered")
    .option(...SPOOL)
    .option(...JSON_LINES)
    .addHelpText("after", "\nExample:\n  strongroom receive rm adas-phone")
    .action(async (name: string, options: SpoolOptions) => {
      const { removeTelephone } = await import("./running.ts");
      await removeTelephone(name, options, context);
    });
  receive.command("status")
    .description("show what arrived last, what waits, and what is wrong")
    .option(...SPOOL)
    .option(...JSON_LINES)
    .addHelpText("after", "\nExample:\n  strongroom receive status")
    .action(async (options: SpoolOptions) => {
      const { tellStatus } = await import("./running.ts");
      await tellStatus(options, context);
    });
}
