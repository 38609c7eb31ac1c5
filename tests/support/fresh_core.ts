/**
 * Imported by whatever opens the application or starts the program: the core of
 * the web app is then that of its sources, whichever test is run by hand.
 *
 * @module
 */
import { freshCore } from "../../scripts/web/fresh.ts";

await freshCore();
