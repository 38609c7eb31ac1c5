/**
 * The landing page: what this is, and whose server.
 *
 * @module
 */
import type { AppConfig } from "../../../../client/api/public_calls.ts";
import { Button } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Logo } from "../../parts/logo.tsx";
import { go, href } from "../../routes.ts";
import {
  chooseLanguage,
  language,
  LANGUAGES,
  messages,
} from "../../messages.ts";
import { InsecureBanner } from "./insecure_banner.tsx";

/** The first page of a visitor. */
export function Landing(
  { config }: { readonly config: AppConfig | undefined },
) {
  const { entry } = messages.value;
  const registration = config?.registration ?? "open";
  return (
    <>
      <InsecureBanner />
      <main class="landing">
        <div class="brand">
          <Logo /> strongroom{" "}
          <span class="quiet server">
            {entry.server({ host: location.host })}
          </span>
        </div>
        <h1>{entry.tagline}</h1>
        <div class="actions">
          {registration !== "invited" && (
            <Button
              kind="main"
              onClick={() => go(href("sign-up"))}
            >
              {entry.signUp}
            </Button>
          )}
          <Button
            kind={registration === "invited" ? "main" : "plain"}
            onClick={() => go(href("sign-in"))}
          >
            {entry.signIn}
          </Button>
          {registration === "invited" && (
            <Button
              kind="quiet"
              onClick={() => go(href("sign-up"))}
            >
              {entry.haveInvitation}
            </Button>
          )}
        </div>
        {registration !== "open" && (
          <p class="quiet registration">
            {registration === "invited" ? entry.byInvitation : entry.byDomain}
          </p>
        )}
        <ul class="points">
          {entry.points.map(([title, text], index) => (
            <li key={title}>
              <Icon
                name={(["lock", "safe", "link"] as const)[index] ?? "check"}
                size={24}
              />
              <div>
                <h2>{title}</h2>
                <p class="quiet">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <footer class="languages">
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <button
              type="button"
              key={tag}
              lang={tag}
              aria-pressed={language.value === tag}
              onClick={() => chooseLanguage(tag)}
            >
              {name}
            </button>
          ))}
        </footer>
      </main>
    </>
  );
}
