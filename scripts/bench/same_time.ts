/**
 * How long answers take that nobody may tell apart
 * (`src/docs/protocol/transport.md`, what cannot be told apart). That they are
 * the same work the tests hold; this says what a client's watch shows of it.
 *
 * @module
 */
import { PROTOCOL_MAX } from "../../src/core/protocol.ts";
import { quantile, say, startOurs, withScratch } from "./support.ts";

const ROUNDS = 100;
/** Rounds before those that count. */
const WARMING = 10;

/** What is asked for, and what the answer has to be. */
interface Kind {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
}

await withScratch(async (scratch) => {
  const { server, client } = await startOurs(scratch, {
    STRONGROOM_LIMIT_LOCKOUT: "100000",
    STRONGROOM_LIMIT_SHARE_METADATA: "100000",
    STRONGROOM_ARGON2_MEMORY_KIB: "8192",
  });
  const login = (name: string, address: string): Kind => ({
    name,
    method: "POST",
    path: "/v1/auth/login",
    json: { address, password: "not the password" },
  });
  const share = (name: string, id: string): Kind => ({
    name,
    method: "GET",
    path: `/v1/s/${id}`,
  });
  try {
    const address = "ada@example.org";
    await client.register(address, "correct horse battery staple");
    await compare(server.origin, [
      login("unknown address", "nobody@example.org"),
      login("wrong password", address),
    ]);
    await compare(server.origin, [
      share("unknown link", "0".repeat(32)),
      share("another unknown link", "f".repeat(32)),
    ]);
  } finally {
    await server.stop();
  }
});

/** Asks in turns, so that whatever else the machine does falls on all alike. */
async function compare(origin: string, kinds: readonly Kind[]): Promise<void> {
  const times = new Map(
    kinds.map(({ name }): [string, number[]] => [name, []]),
  );
  for (let round = -WARMING; round < ROUNDS; round++) {
    for (const { name, method, path, json } of kinds) {
      const asked = performance.now();
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          "X-Service-Protocol": PROTOCOL_MAX,
          "Content-Type": "application/json",
        },
        body: json === undefined ? null : JSON.stringify(json),
      });
      await answer.arrayBuffer();
      if (round >= 0) times.get(name)?.push(performance.now() - asked);
    }
  }
  for (const [name, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    const ms = (share: number) => quantile(sorted, share).toFixed(2);
    say(`${name}: ${ms(0.25)} ms, ${ms(0.5)} ms, ${ms(0.75)} ms (quartiles)`);
  }
}
