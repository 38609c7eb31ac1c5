/**
 * Imported by stories in browsers, which may look for faces, things and words:
 * the web app is then there with all its parts.
 *
 * @module
 */
import { freshApp } from "../../scripts/web/fresh.ts";

await freshApp();
