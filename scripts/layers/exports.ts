/**
 * What files export and what they import of one another, by name.
 *
 * @module
 */
import { dirname, normalize } from "node:path/posix";
import { withoutComments } from "./imports.ts";

/** What a file gives to others and takes of them. */
export interface Names {
  /** What it declares or lists as exported. */
  readonly exported: ReadonlySet<string>;
  /** What it passes on: its name here, and where it comes from by which name. */
  readonly passedOn: ReadonlyMap<string, Use>;
  /** The modules that its exported functions load and hand on, by their names. */
  readonly handedOn: ReadonlyMap<string, string>;
  /** The files of which it passes everything on. */
  readonly all: readonly string[];
  readonly uses: readonly Use[];
  /** Each word of its code, with how often it stands there. */
  readonly words: ReadonlyMap<string, number>;
}

/** A name of a file; `*` is every one that also stands in the importing file. */
interface Use {
  readonly file: string;
  readonly name: string;
}

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum|interface|type) +(\w+)/gm;
const PATTERN = /^export const [{[]([^=]*)[}\]][^=]*=/gm;
const LIST = /^export (?:type )?\{([^}]*)\}(?:\s*from\s*"([^"]+)")?/gm;
const ALL = /^export \* from\s*"([^"]+)"/gm;
const IMPORT = /^import (?:type )?(?:\w+,\s*)?\{([^}]*)\}\s*from\s*"([^"]+)"/gm;
/** A module as an object: a namespace or a dynamic import. */
const OBJECT = /(?:\* as \w+ from\s*|\bimport\(\s*)"([^"]+)"/g;
/** A function that loads a module for whoever calls it. */
const LOADER = /^export const (\w+) =[^;]*?\bimport\(\s*"([^"]+)"/gm;
const DEFAULT = /^import (?:type )?\w+(?:,[^"]*?)?\s+from\s*"([^"]+)"/gm;

/** What a file's code exports and imports. */
export function namesOf(path: string, source: string): Names {
  const code = withoutComments(source);
  const at = (specifier: string) => normalize(`${dirname(path)}/${specifier}`);
  const words = new Map<string, number>();
  for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  const exported = new Set<string>();
  const passedOn = new Map<string, Use>();
  const uses: Use[] = [];
  for (const [, name = ""] of code.matchAll(DECLARED)) exported.add(name);
  for (const [, list = ""] of code.matchAll(PATTERN)) {
    for (const { own } of listed(list)) exported.add(own);
  }
  for (const [, list = "", from] of code.matchAll(LIST)) {
    for (const { theirs, own } of listed(list)) {
      exported.add(own);
      if (from?.startsWith(".")) {
        passedOn.set(own, { file: at(from), name: theirs });
      }
    }
  }
  for (const [, list = "", from = ""] of code.matchAll(IMPORT)) {
    for (const { theirs } of listed(list)) {
      uses.push({ file: at(from), name: theirs });
    }
  }
  for (const [, from = ""] of code.matchAll(DEFAULT)) {
    uses.push({ file: at(from), name: "default" });
  }
  for (const [, from = ""] of code.matchAll(OBJECT)) {
    uses.push({ file: at(from), name: "*" });
  }
  const all = [...code.matchAll(ALL)].map(([, from = ""]) => at(from));
  const handedOn = new Map(
    [...code.matchAll(LOADER)].map(([, name = "", from = ""]) =>
      [name, at(from)] as const
    ),
  );
  return { exported, passedOn, handedOn, all, uses, words };
}

/** `a, type b as c` as what the other file and this one call each. */
function listed(list: string): { theirs: string; own: string }[] {
  return list.split(",").flatMap((one) => {
    const [, theirs, own] =
      /^\s*(?:type\s+)?(\w+)(?:(?:\s+as\s+|:\s*)(\w+))?\s*$/.exec(one) ?? [];
    return theirs === undefined ? [] : [{ theirs, own: own ?? theirs }];
  });
}
