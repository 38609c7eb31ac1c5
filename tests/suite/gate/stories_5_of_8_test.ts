import { importPart } from "../parts.ts";

await importPart(import.meta.url);
