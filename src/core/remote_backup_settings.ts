/** Places off the premises, as they are configured. */
export interface RemoteBackupSettings {
  /** What seals: one of the three at most. */
  readonly passphrase: string | undefined;
  readonly passphraseFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly s3: {
    readonly endpoint: string | undefined;
    readonly region: string;
    readonly style: "path" | "virtual";
    readonly accessKeyId: string | undefined;
    readonly secretAccessKey: string | undefined;
    readonly keysFile: string | undefined;
    /** How long an answer may take to begin, and a piece of it to come (ms). */
    readonly timeoutMs: number;
  };
  readonly sftp: {
    readonly keyFile: string | undefined;
    /** `SHA256:…` */
    readonly hostKey: string | undefined;
  };
}
