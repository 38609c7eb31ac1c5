/**
 * `strongroom config`: what is set, where, and what is wrong with it.
 *
 * @module
 */
import type { Command } from "commander";
import {
  canonicalOrigin,
  type Config,
  type SettingReading,
} from "../../config.ts";
import { settingFaultLine } from "../../core/operator.ts";
import { ConfigFault, sourceText } from "../../core/settings.ts";
import { openCertificate } from "../../server/tls/certificate.ts";
import {
  factsOf,
  hostOf,
  judgeCertificate,
} from "../../server/tls/certificate_facts.ts";
import { namelessFault } from "../../server/serve.ts";
import { trusting } from "../../server/tls/extra_authorities.ts";
import { adviceFor } from "./advice.ts";
import { type LoadedSettings, loadSettings } from "../environment.ts";
import { adviceForFiles } from "../named_files.ts";
import {
  addVerbs,
  type CommandContext,
  type OperatorOptions,
  type Verb,
} from "../verb.ts";
import { readTlsFiles } from "../tls_files.ts";

/** Adds `config check` and `config show` to the program. */
export function addConfigCommands(
  program: Command,
  context: CommandContext,
): void {
  const config = program.command("config")
    .description("show and check the settings");
  addVerbs(config, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "check",
    description:
      "report every error in the settings at once, and warn of unwise ones",
    example: "config check --env-file /srv/photos/strongroom.env",
    async run(call) {
      const { faults, warnings, settings } = await checkSettings(
        call.options,
        call,
      );
      const sound = faults.length === 0;
      return {
        json: { sound, faults, warnings },
        lines: [
          ...faults.map((line) => `fault: ${line}`),
          ...warnings.map((line) => `warning: ${line}`),
          ...(sound
            ? [`the configuration has no errors (${countGiven(settings)})`]
            : []),
        ],
        isBad: !sound,
      };
    },
  },
  {
    usage: "show",
    description: "list every setting with its value and its source",
    example: "config show --json",
    run({ options }) {
      const { settings, faults, envFile, envFileRead, config } = loadSettings(
        options,
      );
      return {
        json: {
          env_file: envFileRead ? envFile : null,
          settings: settings.map((one) => shown(one, config)),
          faults,
        },
        lines: linesFor(settings),
        warnings: options.json ? [] : faults,
        isBad: faults.length > 0,
      };
    },
  },
];

/**
 * Everything that is wrong or unwise, the files that settings name included.
 */
async function checkSettings(
  options: OperatorOptions,
  { platform }: Pick<CommandContext, "platform">,
): Promise<LoadedSettings & { readonly warnings: readonly string[] }> {
  const loaded = loadSettings(options);
  const { config, strays, settings } = loaded;
  const faults = [...loaded.faults];
  // A file is looked at even where another setting has a fault.
  const pathOf = (name: string) =>
    settings.find((one) => one.name === name)?.text || undefined;
  faults.push(
    ...faultsOf(() => trusting(pathOf("OIDC_CA_BUNDLE"), platform.fetch)),
  );
  const unwise: string[] = [];
  const cert = pathOf("STRONGROOM_TLS_CERT");
  const key = pathOf("STRONGROOM_TLS_KEY");
  if (cert !== undefined && key !== undefined) {
    const { leaf, faults: unread } = readTlsFiles(cert, key);
    const found = unread.map(settingFaultLine);
    faults.push(...found);
    if (config !== undefined && found.length === 0) {
      const unusable = faultsOf(() => openCertificate(config));
      faults.push(...unusable);
      // What no client takes is no sound setting, though a server starts.
      const judged = leaf === undefined || unusable.length > 0
        ? undefined
        : judgeCertificate(
          factsOf(leaf),
          hostOf(canonicalOrigin(config) ?? "https://localhost"),
          platform.now(),
        );
      if (judged !== undefined) {
        (judged.status === "fault" ? faults : unwise).push(
          settingFaultLine({ setting: "STRONGROOM_TLS_CERT", ...judged }),
        );
      }
    }
  }
  const nameless = config && namelessFault(config);
  if (nameless !== undefined) faults.push(nameless);
  const advice = [
    ...config === undefined ? [] : adviceFor(config),
    ...await adviceForFiles(settings),
  ];
  const warnings = [
    ...strays,
    ...unwise,
    ...advice.map(settingFaultLine),
  ];
  return { ...loaded, faults, warnings };
}

/** What the server would refuse its settings for when it starts. */
function faultsOf(start: () => unknown): readonly string[] {
  try {
    start();
    return [];
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    return fault.faults;
  }
}

function countGiven(settings: readonly SettingReading[]): string {
  const given = settings.filter(({ source }) => source.kind !== "default");
  return `${given.length} of ${settings.length} settings given`;
}

/** A setting for machines; secrets are left out. */
function shown(reading: SettingReading, config: Config | undefined) {
  const { name, source, doc, preset, secret, fault } = reading;
  const hidden = secret && reading.text !== "";
  const place = source.kind === "file"
    ? { file: source.path, line: source.line }
    : {};
  return {
    name,
    value: hidden
      ? null
      : name === "STRONGROOM_DATA_DIR"
      ? config?.STRONGROOM_DATA_DIR ?? reading.text
      : reading.text,
    hidden,
    source: source.kind,
    ...place,
    default: preset,
    documentation: doc,
    ...(fault === undefined ? {} : { fault }),
  };
}

function linesFor(settings: readonly SettingReading[]): string[] {
  const width = Math.max(...settings.map(({ name }) => name.length));
  return settings.map(({ name, text, secret, source }) => {
    const value = text === ""
      ? "(not set)"
      : secret
      ? "(set, hidden)"
      : printable(text);
    return `${name.padEnd(width)}  ${value}  [${sourceText(source)}]`;
  });
}

/** A value from the environment may hold what moves a terminal's cursor. */
function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, "\uFFFD");
}
