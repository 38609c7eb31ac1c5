/**
 * Screenshots, which are told by their names and folders in the languages of
 * phones.
 *
 * @module
 */

const SCREENSHOT =
  /screen[ _-]?shot|screen[ _-]?recording|bildschirm(?:foto|aufnahme)|capture[ _-]?d.[ée]cran|captura[ _-]?de[ _-]?(?:pantalla|ecr|tela)|schermata|scherm(?:afbeelding|afdruk|opname)|zrzut[ _-]?ekranu/i;

/** Whether a name with its folders is one of a screenshot. */
export function isScreenshotName(told: string): boolean {
  return SCREENSHOT.test(told);
}
