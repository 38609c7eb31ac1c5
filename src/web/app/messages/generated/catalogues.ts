// deno-fmt-ignore-file
// Made by `deno task messages`. Change the JSON files instead.
import * as english from "./en_first.ts";

/** Where the texts of each language are. */
export const CATALOGUES = {
  en: {
    first: () => Promise.resolve(english),
    later: () => import("./en_later.ts"),
    findings: () => import("./en_findings.ts"),
  },
  de: {
    first: () => import("./de_first.ts"),
    later: () => import("./de_later.ts"),
    findings: () => import("./de_findings.ts"),
  },
  es: {
    first: () => import("./es_first.ts"),
    later: () => import("./es_later.ts"),
    findings: () => import("./es_findings.ts"),
  },
  fr: {
    first: () => import("./fr_first.ts"),
    later: () => import("./fr_later.ts"),
    findings: () => import("./fr_findings.ts"),
  },
  it: {
    first: () => import("./it_first.ts"),
    later: () => import("./it_later.ts"),
    findings: () => import("./it_findings.ts"),
  },
  nl: {
    first: () => import("./nl_first.ts"),
    later: () => import("./nl_later.ts"),
    findings: () => import("./nl_findings.ts"),
  },
  pl: {
    first: () => import("./pl_first.ts"),
    later: () => import("./pl_later.ts"),
    findings: () => import("./pl_findings.ts"),
  },
  pt: {
    first: () => import("./pt_first.ts"),
    later: () => import("./pt_later.ts"),
    findings: () => import("./pt_findings.ts"),
  },
} as const;
