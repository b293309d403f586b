//! What can go wrong with a store.

/// Why a store did not do what it was asked. What it holds is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// An address of no kind that is known, or with a password in it.
    #[error("{0}")]
    Address(&'static str),
    /// The store's settings.
    #[error("the store cannot be used: {0}")]
    Settings(String),
    /// It failed, or could not be reached.
    #[error("{object} cannot be {what}: {reason}")]
    Failed {
        /// The object's name.
        object: String,
        /// "read", "written" or "listed".
        what: &'static str,
        /// What the store said.
        reason: String,
    },
    /// It knows who asks and says no, or does not know.
    #[error("the store refuses access to {object}: {reason}")]
    Access {
        /// The object's name.
        object: String,
        /// What the store said.
        reason: String,
    },
    /// It has no such bucket, or not where it was asked.
    #[error("the store has no such bucket or container: {0}")]
    Bucket(String),
    /// What it gives is not what was written.
    #[error("{object} is damaged: {reason}")]
    Damaged {
        /// The object's name.
        object: String,
        /// What is wrong.
        reason: String,
    },
    /// It does not keep what is written.
    #[error("the store took {0} and does not have it")]
    Forgotten(String),
    /// It overwrites where it was told not to.
    #[error("the store overwrites an object that it was told to keep")]
    Unconditional,
    /// The folder of the store is not there, and not the caller's to make.
    #[error("there is no folder {0}")]
    NoFolder(String),
    /// Nobody has begun a run.
    #[error("no run has begun in this store")]
    NoRun,
    /// Somebody else's run.
    #[error("the store holds another run")]
    OtherRun,
    /// A layout of another version of the program.
    #[error("the run in the store is of format {0}; this program knows 1")]
    Format(u32),
}

impl StoreError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Address(_) => {
                "give file:///FOLDER, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX; \
                 credentials come from the environment"
            }
            Self::Settings(_) => "docs/training.md says what a store needs",
            Self::Failed { .. } => "look at the store's space and the connection; what was written is kept",
            Self::Access { .. } => "look at the credentials in the environment, and at their rights",
            Self::Bucket(_) => {
                "look at the name in the store's address, at the region (AWS_REGION) and at --store-endpoint"
            }
            Self::Damaged { .. } | Self::Forgotten(_) => "look at the store; nothing was overwritten",
            Self::Unconditional => "take a store that knows conditional writes (If-None-Match)",
            Self::NoFolder(_) | Self::NoRun => {
                "look at the store's address; `honinbo train FOLDER --store URL` begins a run there"
            }
            Self::OtherRun => "give another prefix, or go on in the folder that began this run",
            Self::Format(_) => "use the same version of the program for the trainer and for all workers",
        }
    }

    /// Whether asking again later may help.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Damaged { .. } | Self::Forgotten(_))
    }
}
